// Small plots as SVG: bars over time, and a line that grows. Each says in words what it shows; the numbers stand in its titles.
import { html } from './htm-preact.js';
import { number } from './format.js';

const width = 560;
const height = 90;
const foot = 16;

// A round number at or above `value`, so that the scale reads well.
export function roundUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value);
}

function Frame({ label, top, first, last, children }) {
  return html`<svg class="plot" viewBox=${`0 0 ${width} ${height + foot}`} role="img" aria-label=${label}>
    <line x1="0" x2=${width} y1=${height} y2=${height} class="axis" /><line x1="0" x2=${width} y1="8" y2="8" class="grid" />
    <text x=${width} y="6" text-anchor="end">${number(top)}</text>
    <text x="0" y=${height + 12}>${first}</text><text x=${width} y=${height + 12} text-anchor="end">${last}</text>${children}</svg>`;
}

const heightOf = (value, top) => (value / top) * (height - 8);

const summary = (points, name) => `${name}: ${number(points.reduce((sum, one) => sum + one.value, 0))} in all, at most ${number(Math.max(...points.map((one) => one.value)))}`;

// points: [{ label, value }]
export function bars(points, name) {
  if (points.length === 0) return null;
  const top = roundUp(Math.max(...points.map((one) => one.value)));
  const step = width / Math.max(points.length, 12);
  return html`<${Frame} label=${summary(points, name)} top=${top} first=${points[0].label} last=${points.length > 1 ? points[points.length - 1].label : ''}>
    ${points.map((one, i) => html`<rect key=${i} class="bar" x=${(i * step + step * 0.12).toFixed(1)} width=${(step * 0.76).toFixed(1)}
      y=${(height - heightOf(one.value, top)).toFixed(1)} height=${heightOf(one.value, top).toFixed(1)}><title>${one.label}: ${number(one.value)}</title></rect>`)}</${Frame}>`;
}

export function line(points, name) {
  if (points.length < 2) return null;
  const top = roundUp(Math.max(...points.map((one) => one.value)));
  const x = (i) => ((i / (points.length - 1)) * width).toFixed(1);
  const y = (value) => (height - heightOf(value, top)).toFixed(1);
  const path = points.map((one, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(one.value)}`).join('');
  const last = points[points.length - 1];
  return html`<${Frame} label=${`${name}: from ${number(points[0].value)} to ${number(last.value)}`} top=${top} first=${points[0].label} last=${last.label}>
    <path class="area" d=${`${path}L${width} ${height}L0 ${height}Z`} /><path class="line" d=${path} /></${Frame}>`;
}
