// Two hundred texts that try to run in a page, or to break it: of our own, made by putting payloads into shapes. `loci_was_here` must
// never come to be.
const run = 'window.loci_was_here=1';
const payloads = [
  `<script>${run}</script>`, `<img src=x onerror="${run}">`, `<svg onload="${run}">`, `<svg><script>${run}</script></svg>`, `<iframe srcdoc="<script>parent.loci_was_here=1</script>"></iframe>`,
  `<a href="javascript:${run}">press</a>`, `<details open ontoggle="${run}">`, `<math><mi xlink:href="javascript:${run}">x</mi></math>`, `<style>@import 'javascript:${run}'</style>`, `<body onload="${run}">`,
  `<object data="javascript:${run}">`, `<embed src="javascript:${run}">`, `<form action="javascript:${run}"><button>go</button></form>`, `<input autofocus onfocus="${run}">`, `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<base href="http://127.0.0.1:1/">`, `<link rel=stylesheet href="http://127.0.0.1:1/x.css">`, `<video><source onerror="${run}"></video>`, `<template><script>${run}</script></template>`, `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `</textarea><script>${run}</script>`, `</title><script>${run}</script>`, `--><script>${run}</script>`, `]]><script>${run}</script>`, `"><script>${run}</script>`,
  `' onmouseover='${run}`, `" autofocus onfocus="${run}`, '${' + run + '}', '{{constructor.constructor("' + run + '")()}}', `<!--#exec cmd="x"-->`,
  `[press](javascript:${run})`, `[press](JaVaScRiPt:${run})`, `[press](data:text/html,<script>${run}</script>)`, `[press](vbscript:${run})`, `![x](javascript:${run})`,
  `<javascript:${run}>`, `[a]: javascript:${run}\n[a]`, `\`<script>${run}</script>\``, '```html\n<script>' + run + '</script>\n```', `# <img src=x onerror=${run}>`,
];
const shapes = [
  (text) => text,
  (text) => `Plain words before, ${text} and behind.`,
  (text) => `- item one\n- ${text}\n- item three`,
  (text) => `\u202e${text}\u202c שלום עולם مرحبا`,
  (text) => `**${text}** _${text}_ [${text}](https://example.org/${encodeURIComponent(text)})`,
];
export const hostileTexts = payloads.flatMap((payload) => shapes.map((shape) => shape(payload)));
