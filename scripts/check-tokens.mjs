#!/usr/bin/env node
// scripts/check-tokens LOCI [STRINGS [SEED]]: compares `loci count` with OpenAI's own tiktoken (npm tiktoken@1.0.22, installed into a
// temporary folder) on random hostile strings (300,000 unless told) and on every assigned code point, for both encodings.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [loci, strings = '300000', seed = '1'] = process.argv.slice(2);
if (!loci) { console.error('usage: scripts/check-tokens LOCI [STRINGS [SEED]]'); process.exit(2); }

const folder = mkdtempSync(join(tmpdir(), 'loci-tokens-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, 'tiktoken@1.0.22'], { stdio: 'inherit' });
const { get_encoding } = createRequire(join(folder, 'x.js'))('tiktoken');

let state = BigInt(seed);
const random = (below) => {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(below));
};
const pick = (list) => list[random(list.length)];
const words = ['the', 'The', 'THE', "don't", "I'VE", "we'll", "'s", "'S", "'LL", 'foo_bar', '2026', '1234567', 'v1.2.3', '/usr/bin',
  'http://a.b/c?d=e', 'naïve', 'straße', 'ſ', 'İ', 'ı', "'ſ", '你好', '記憶', 'カタカナ', '한국어', 'ไทย', 'हिन्दी', 'العربية', '👍🏽', '👨‍👩‍👧', '🇫🇮',
  'ǅ', 'ⅷ', '²', '½', '٣', '𝟘', '<|endoftext|>', '<|im_start|>', '\u0085', '\u00a0', '\u180e', '\ufeff', '\u200b', '\u2028', '\u3000',
  '\r\n', '\r', '\n', '\n\n', '\n/', '\t', ' ', '  ', '   ', '\v', '\f', '\0', '\u0001', '…', '“', ')\n', '{};', '==', '//', '```',
  'aaaaaaaa', '.........', '\u0301', '\u0300\u0301', '\u{10ffff}', '\ue000'];
const blocks = [[0, 0x80], [0xa0, 0x250], [0x250, 0x700], [0x900, 0xe80], [0x1e00, 0x2070], [0x2070, 0x2c00], [0x3000, 0x3100],
  [0x4e00, 0x9fff], [0xac00, 0xd7a3], [0xf900, 0xffff], [0x10000, 0x10fff], [0x1d000, 0x1d7ff], [0x1f300, 0x1faff], [0x20000, 0x32400]];
const character = () => { const [a, b] = pick(blocks); return String.fromCodePoint(a + random(b - a)); };

function* texts() {
  for (let i = 0; i < +strings; i++) {
    let text = '';
    const style = random(3);
    for (let count = 1 + random(24); count > 0; count--)
      text += style === 0 ? character() : style === 1 ? pick(words) : random(3) ? pick(words) + ' ' : character();
    yield random(50) ? text : text.repeat(1 + random(40));
  }
  for (let point = 0; point < 0x110000; point++) {
    const c = String.fromCodePoint(point);
    if ((point >= 0xd800 && point < 0xe000) || /\p{Cn}/u.test(c)) continue;
    yield `a${c} ${c}B${c}${c}1${c}'s\n${c} .${c}`;
  }
}

async function compare(name) {
  const reference = get_encoding(name);
  const counter = spawn(loci, ['count', '--encoding', name, '--jsonl'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const asked = [];
  let checked = 0, differ = 0;
  const answers = (async () => {
    for await (const line of createInterface({ input: counter.stdout })) {
      const { tokens, exact } = JSON.parse(line), { text, wanted } = asked[checked];
      asked[checked++] = undefined;
      if (exact && tokens === wanted) continue;
      if (differ++ < 5) console.log(`${JSON.stringify(text)}: ${tokens}${exact ? '' : ' (estimated)'}, tiktoken says ${wanted}`);
    }
  })();
  for (const text of texts()) {
    asked.push({ text, wanted: reference.encode_ordinary(text).length });
    if (!counter.stdin.write(JSON.stringify({ text }) + '\n')) await new Promise((go) => counter.stdin.once('drain', go));
  }
  counter.stdin.end();
  await answers;
  console.log(`${name}: ${checked} strings, ${differ} differ`);
  return checked === asked.length && differ === 0;
}

let equal = true;
for (const name of ['cl100k_base', 'o200k_base']) equal = (await compare(name)) && equal;
process.exitCode = equal ? 0 : 1;
