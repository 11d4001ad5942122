// Settings: each with what it is for, its value and where that comes from. What names an address, a key or an agent is changed in
// the file, by whoever can see the file. And the whole memory, to take along.
import { html, useEffect, useRef, useState } from './htm-preact.js';
import { call, get, logOut } from './api.js';
import { useDraft } from './drafts.js';
import { say } from './notices.js';
import { Action, editor, Final, Problem, setEditor } from './parts.js';
import { set, state, useLoad, useStore } from './state.js';
import { meanings } from './settings_words.js';

const sectionOf = (key) => (key.includes('.') ? key.slice(0, key.indexOf('.')) : 'general');

// A text of TOML without its quotes; lists and numbers as they stand.
function shown(setting) {
  try {
    const value = JSON.parse(setting.value);
    return typeof value === 'string' ? value : setting.value;
  } catch {
    return setting.value;
  }
}

const originOf = (origin, vault) => (origin === 'default' ? 'the default' : `from ${vault && origin.startsWith(`${vault}/`) ? origin.slice(vault.length + 1) : origin}`);

function Value({ setting, onSave }) {
  const [draft, type, putAway] = useDraft(`setting ${setting.key}`, null);
  const saved = useRef(null);
  const now = shown(setting);
  const text = draft?.text ?? null;
  const typed = (value) => {
    saved.current = null;
    type({ text: value, seen: { text: now } });
  };
  const save = async (event) => {
    event.preventDefault();
    if (text === null || text === now) return;
    saved.current = text;
    if ((await onSave(text)) && saved.current === text) putAway(); // what was typed meanwhile stays
  };
  if (!setting.editable) return now ? html`<code>${setting.value}</code>` : html`<span class="dim">not set</span>`;
  const options = setting.choices.length > 0 ? setting.choices : ['true', 'false'].includes(setting.value) ? ['true', 'false'] : null;
  if (options) return html`<select aria-label=${setting.key} value=${now} onChange=${(event) => onSave(event.target.value)}>${options.map((one) => html`<option value=${one} selected=${one === now}>${one}</option>`)}</select>`;
  return html`<form onSubmit=${save}>
    <input type="text" aria-label=${setting.key} value=${text ?? now} onInput=${(event) => typed(event.target.value)} />
    ${text !== null && text !== now && html` <button type="submit">Save</button>`}</form>`;
}

// What is kept from models and agents is opened to them again in the file alone.
const isFinal = (setting) => setting.key === 'privacy.never_send';

function Row({ setting: loaded }) {
  const [fresh, setFresh] = useState(null); // as it was written here, until it is loaded
  useEffect(() => setFresh(null), [loaded]);
  const setting = fresh || loaded;
  const [error, setError] = useState(null);
  const vault = useStore((all) => all.status?.vault);
  const write = async (what) => {
    const written = await call('POST', '/memory/settings', { body: { key: loaded.key, ...what } });
    setFresh(written.settings.find((one) => one.key === loaded.key));
    set({ version: state.version + 1 });
    return written;
  };
  const save = async (value) => {
    setError(null);
    try {
      const { before, after } = await write({ value });
      say(`${setting.key} is ${value}`, isFinal(setting) ? undefined : () => write({ value: before, if: after }));
      return true;
    } catch (failed) {
      setError(failed);
      return false;
    }
  };
  return html`<tr><th scope="row"><code>${setting.key}</code></th><td><${Value} setting=${setting} onSave=${save} /><${Problem} error=${error} />${isFinal(setting) && html`<${Final}>What is added here cannot be undone here: it is taken out in the file.</${Final}>`}</td>
    <td>${meanings[setting.key] || meanings[setting.key.replace(/^(models)\.[^.]+|^(agents\.vaults)\..*/, '$1$2.*')] || ''} <span class="dim">(${originOf(setting.origin, vault)}${setting.editable ? '' : '; changed in your own configuration'})</span></td></tr>`;
}

async function download(format) {
  const text = await call('GET', '/memory/export', { query: { format }, raw: true });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: format === 'md' ? 'text/markdown' : 'application/json' }));
  link.download = `memory.${format === 'md' ? 'md' : 'json'}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Exports() {
  const [error, setError] = useState(null);
  const run = (format) => () => download(format).then(() => setError(null), setError);
  return html`<h2>Take it along</h2><p class="dim">Everything that counts. <code>loci import</code> takes the JSON in again.</p>
    <div class="actions"><button type="button" onClick=${run('json')}>Export as JSON</button><button type="button" onClick=${run('md')}>Export as markdown</button></div><${Problem} error=${error} />`;
}

function ThisPage() {
  const [value, setValue] = useState(editor());
  const choose = (event) => {
    setEditor(event.target.value);
    setValue(event.target.value);
  };
  return html`<h2>This page</h2><label class="choice"><span>A click on a file</span><select value=${value} onChange=${choose}>
    ${[['copy', 'copies file and line'], ['vscode', 'opens it in VS Code'], ['vscodium', 'opens it in VSCodium']].map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}</select></label>
    <div class="actions"><${Action} run=${logOut}>Log out</${Action}><span class="dim">Ends the login of every tab of this browser.</span></div>`;
}

export default function SettingsView() {
  const { value, error } = useLoad((signal) => get('/memory/settings', null, { signal }), []);
  const settings = value?.settings || [];
  const sections = [...new Set(settings.map((one) => sectionOf(one.key)))];
  return html`<h1>Settings</h1><${Problem} error=${error} /><${ThisPage} />
    ${sections.map((section) => html`<h2 key=${section}>${section}</h2><table class="settings"><tbody>${settings.filter((one) => sectionOf(one.key) === section).map((one) => html`<${Row} key=${one.key} setting=${one} />`)}</tbody></table>`)}
    <${Exports} />`;
}
