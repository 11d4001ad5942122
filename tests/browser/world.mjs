// A vault with a daemon of its own and one Chromium, for a test of the panel. Whatever a test does, the page must ask nobody but its own
// origin, break no rule of its security policy and throw no error: that is looked at when the world closes.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(path.resolve(process.env.LOCI_NPM, 'package.json'));
const { chromium } = require('playwright-core');
export const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const program = process.env.LOCI;
const pictures = process.env.LOCI_PICTURES || path.join(os.tmpdir(), 'loci-pictures');

// Of a busy machine; what is waited for is there much sooner.
const patience = Number(process.env.LOCI_PATIENCE) || 180000; // milliseconds

export async function until(condition, what, milliseconds = patience) {
  const end = Date.now() + milliseconds;
  // Asking costs something, too: what takes its time is asked for less and less often.
  for (let pause = 10; ; pause = Math.min(pause * 1.2, 200)) {
    const value = await condition();
    if (value) return value;
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, pause));
  }
}

// A port that no other program is given by itself, as those from 32768 on are: a daemon that begins anew, or whoever takes its place, has
// it for sure. Tests that run at once begin to look at different ones.
async function freePort() {
  for (let port = 10000 + (process.pid % 20000); ; port++) {
    const server = net.createServer();
    const isFree = await new Promise((done) => server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)));
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}

// Runs in the page before anything of it does: a notice stays until the test says that its ten seconds are over.
function holdNotices() {
  const own = window.setTimeout;
  const held = [];
  window.setTimeout = (run, milliseconds, ...rest) => (milliseconds === 10000 ? held.push(run) : own(run, milliseconds, ...rest));
  window.tenSecondsGo = () => { for (const end of held.splice(0)) end(); };
}

// A file of the page as it is built in: without its comments, line for line.
export function builtIn(folder, name) {
  const bytes = fs.readFileSync(path.join(folder, name));
  return name.endsWith('.js') ? bytes.toString().replace(/^ *\/\/.*/gm, '') : bytes;
}

// For work on the page: its files as they are now, with the headers of those that are built in.
async function servePageFrom(folder, page) {
  await page.route((url) => url.pathname === '/' || /\.(js|css|svg)$/.test(url.pathname), async (route) => {
    const name = path.basename(new URL(route.request().url()).pathname) || 'index.html';
    const response = await route.fetch().catch(() => null);
    if (!response) return route.abort();
    const contentType = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html; charset=utf-8' }[path.extname(name)];
    return route.fulfill({ response, status: 200, contentType, body: builtIn(folder, name) });
  });
}

export class World {
  constructor() {
    this.scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'loci-browser-'));
    this.vault = path.join(this.scratch, 'vault');
    this.environment = {
      PATH: process.env.PATH, HOME: this.scratch, XDG_STATE_HOME: path.join(this.scratch, 'state'), XDG_CONFIG_HOME: path.join(this.scratch, 'config'),
      LOCI_HOST: 'testhost', LANG: 'C.UTF-8', TZ: 'UTC',
    };
    this.faults = [];
    this.loci(['init', this.vault]);
  }

  loci(words, input = '') {
    return execFileSync(program, ['--vault', this.vault, ...words], { env: this.environment, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  }

  json(...words) {
    return JSON.parse(this.loci(['--json', ...words]));
  }

  add(text, ...options) {
    return this.loci(['add', ...options, '--', text]).trim();
  }

  turn(session, user, assistant) {
    this.loci(['turn', '--session', session], JSON.stringify({ user, assistant }));
  }

  write(name, text) {
    fs.mkdirSync(path.dirname(path.join(this.vault, name)), { recursive: true });
    fs.writeFileSync(path.join(this.vault, name), text);
  }

  read(name) {
    return fs.readFileSync(path.join(this.vault, name), 'utf8');
  }

  // Every file of the vault and of the state folder that holds a text.
  filesThatHold(text) {
    return fs.readdirSync(this.scratch, { recursive: true }).filter((name) => {
      const file = path.join(this.scratch, name);
      return fs.statSync(file, { throwIfNoEntry: false })?.isFile() && fs.readFileSync(file).includes(text);
    });
  }

  log() {
    return fs.readFileSync(path.join(this.scratch, 'daemon.log'), 'utf8');
  }

  // Not while it builds its first index: the command says so, and fails.
  hasDaemon() {
    try {
      return this.json('status').daemon;
    } catch {
      return false;
    }
  }

  // The panel listens where it did the last time.
  async choosePort() {
    const file = path.join(this.json('status').state.folder, 'panel.json');
    if (!fs.existsSync(file)) fs.writeFileSync(file, `{"port":${await freePort()}}`);
  }

  async startDaemon() {
    await this.choosePort();
    const log = fs.openSync(path.join(this.scratch, 'daemon.log'), 'a');
    this.daemon = spawn(program, ['--vault', this.vault, 'daemon', '--log', 'debug'], { env: this.environment, stdio: ['ignore', log, log] });
    this.daemon.gone = new Promise((done) => this.daemon.once('exit', done));
    fs.closeSync(log);
    await until(() => this.hasDaemon(), 'the daemon to answer');
    this.loci(['status', '--wait']);
  }

  async stopDaemon(signal = 'SIGTERM') {
    this.daemon?.kill(signal);
    await this.daemon?.gone;
    this.daemon = null;
  }

  address() {
    return this.loci(['panel', '--print']).trim();
  }

  async open(options = {}) {
    this.browser ??= await chromium.launch({
      executablePath: process.env.LOCI_CHROMIUM || ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((one) => fs.existsSync(one)),
      timeout: patience,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    // To copy is what a click may do everywhere but in a Chromium without windows.
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce', permissions: ['clipboard-write'], ...options });
    context.setDefaultTimeout(patience);
    await context.addInitScript(holdNotices);
    const page = await context.newPage();
    const address = this.address();
    const own = new URL(address).origin;
    // The daemon's answers, and whatever a browser says of one that is gone; not what its policy blocks.
    const refused = (text) => /status of (401|404|409|412|501|502|503)/.test(text) || /net::ERR_(?!BLOCKED)/.test(text);
    page.on('request', (request) => new URL(request.url()).origin === own || /^(data|blob):/.test(request.url()) || this.faults.push(`asked for ${request.url()}`));
    page.asked = new Set();
    page.on('request', (request) => request.url().endsWith('/memory/events') || page.asked.add(request));
    for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => page.asked.delete(request));
    page.on('pageerror', (error) => this.faults.push(`error in the page: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && !refused(message.text()) && this.faults.push(`console: ${message.text()}`));
    if (process.env.LOCI_PAGE) await servePageFrom(process.env.LOCI_PAGE, page);
    await page.goto(address);
    await page.getByText(/up to date|to be read/).waitFor();
    this.page = page;
    return page;
  }

  // As if its person looked at another one.
  look(page, isHidden) {
    return page.evaluate((is) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  }

  // In all tabs of its browser, as if another one of them had.
  async logOut(page) {
    const key = await page.evaluate(() => sessionStorage.getItem('loci-key'));
    assert.equal(await page.evaluate(async (value) => (await fetch('/memory/log-out', { method: 'POST', headers: { 'X-Loci-Key': value } })).status, key), 200);
  }

  async search(text) {
    await this.page.getByRole('searchbox').fill(text);
  }

  // Opens the first hit of a search, and waits until it stands where another one may have stood.
  async openEntry(text) {
    await this.search(text);
    await this.page.getByLabel('Results').getByRole('link', { name: text.slice(0, 30) }).first().click();
    const entry = this.page.getByRole('region', { name: 'Entry' });
    await entry.locator('.entry-text').getByText(text.slice(0, 30)).first().waitFor();
    return entry;
  }

  // What the page says of what was done last: a notice that no test has waited for yet. The button Undo is then that change's.
  async told(text) {
    return until(() => this.page.evaluate(([source, flags]) => {
      const isSaid = (box) => Number(box.dataset.notice) > (window.heardNotice || 0) && new RegExp(source, flags).test(box.innerText);
      const box = [...document.querySelectorAll('.toast-box')].find(isSaid);
      if (box) window.heardNotice = Number(box.dataset.notice);
      return box?.innerText;
    }, text instanceof RegExp ? [text.source, text.flags] : [text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i']), `the page to say ${text}`);
  }

  async go(view) {
    await this.page.evaluate((hash) => { location.hash = hash; }, `#/${view}`);
  }

  // The view is there with all that it asked for.
  async settled() {
    await until(async () => {
      if (this.page.asked.size > 0) return false;
      await this.page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
      return this.page.asked.size === 0;
    }, 'the page to have what it asked for');
  }

  async picture(name) {
    fs.mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: path.join(pictures, `${name}.png`) });
  }

  async close() {
    await this.browser?.close();
    await this.stopDaemon();
    fs.rmSync(this.scratch, { recursive: true, force: true });
    assert.deepEqual(this.faults, []);
  }
}
