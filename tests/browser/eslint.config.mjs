// For scripts/lint: mistakes, not taste. Layout is checked by eye.
const rules = {
  'no-undef': 'error', 'no-unused-vars': 'error', 'no-unreachable': 'error', 'no-shadow': 'error', 'prefer-const': 'error', 'no-var': 'error', eqeqeq: 'error',
  'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error', 'no-script-url': 'error', 'no-redeclare': 'error', 'no-dupe-keys': 'error', 'no-self-assign': 'error',
  'no-fallthrough': 'error', 'no-constant-condition': ['error', { checkLoops: false }], 'no-empty': 'error', 'max-lines': ['error', 300], 'no-irregular-whitespace': 'error',
  'no-restricted-properties': ['error', { property: 'innerHTML' }, { property: 'outerHTML' }, { property: 'insertAdjacentHTML' }],
};
const names = (list) => Object.fromEntries(list.split(' ').map((name) => [name, 'readonly']));
const browser = names('document window location history sessionStorage localStorage navigator crypto fetch URL URLSearchParams TextDecoderStream TextEncoder AbortController AbortSignal Blob Intl setTimeout clearTimeout setInterval clearInterval addEventListener removeEventListener matchMedia innerWidth MutationObserver performance requestAnimationFrame queueMicrotask console');
const node = names('process console URL setTimeout document window location performance innerWidth sessionStorage fetch MutationObserver requestAnimationFrame Event getComputedStyle');
export default [
  { files: ['panel/page/*.js'], ignores: ['panel/page/htm-preact.js'], languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: browser }, rules },
  { files: ['tests/browser/*.mjs'], languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: node }, rules: { ...rules, 'no-new-func': 'off' } },
];
