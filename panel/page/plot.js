// Small plots over days, as SVG: bars, and a line that grows. Each says in words what it shows. What is written at them stands beside
// the picture, not in it: there it would grow and shrink with it.
import { html } from './htm-preact.js';
import { dateOf, number } from './format.js';

const width = 560; // of the picture's own; it is drawn as wide as there is room
const height = 90;
const fewestDays = 12;

// A round number at or above `value`, so that the scale reads well.
export function roundUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 5, 10].map((one) => one * power).find((one) => one >= value);
}

const numberOf = (day) => Math.floor(Date.parse(day) / 86400000);

// The days from the first on, also those of which nothing is told.
function placed(points) {
  const known = points.filter((one) => !Number.isNaN(numberOf(one.day))).sort((a, b) => numberOf(a.day) - numberOf(b.day));
  return known.map((one) => ({ ...one, at: numberOf(one.day) - numberOf(known[0].day) }));
}

function Plot({ label, unit, top, first, last, share, children }) {
  return html`<figure class="plot-box"><div class="plot-scale">${number(top)} ${unit}</div>
    <svg class="plot" viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label=${label}>
      <line x1="0" x2=${width} y1=${height} y2=${height} class="axis" /><line x1="0" x2=${width} y1="0" y2="0" class="grid" />${children}</svg>
    <div class="plot-scale days" style=${{ width: `${Math.round(share * 100)}%` }}><span>${dateOf(first)}</span>${last !== first && html`<span>${dateOf(last)}</span>`}</div></figure>`;
}

// points: [{ day, value }], a day once
export function bars(points, name, unit) {
  const days = placed(points);
  if (days.length === 0) return null;
  const last = days[days.length - 1];
  const most = Math.max(...days.map((one) => one.value));
  const top = roundUp(most);
  const count = Math.max(last.at + 1, fewestDays);
  const step = width / count;
  const label = `${name}: ${number(days.reduce((sum, one) => sum + one.value, 0))} in all, at most ${number(most)}`;
  return html`<${Plot} label=${label} unit=${unit} top=${top} first=${days[0].day} last=${last.day} share=${(last.at + 1) / count}>
    ${days.map((one) => html`<rect key=${one.at} class="bar" x=${((one.at + 0.12) * step).toFixed(2)} width=${(step * 0.76).toFixed(2)}
      y=${(height * (1 - one.value / top)).toFixed(1)} height=${((height * one.value) / top).toFixed(1)}><title>${dateOf(one.day)}: ${number(one.value)}</title></rect>`)}</${Plot}>`;
}

export function line(points, name, unit) {
  const days = placed(points);
  const last = days[days.length - 1];
  if (!last?.at) return null;
  const top = roundUp(Math.max(...days.map((one) => one.value)));
  const path = days.map((one, i) => `${i === 0 ? 'M' : 'L'}${((one.at / last.at) * width).toFixed(1)} ${(height * (1 - one.value / top)).toFixed(1)}`).join('');
  return html`<${Plot} label=${`${name}: from ${number(days[0].value)} to ${number(last.value)}`} unit=${unit} top=${top} first=${days[0].day} last=${last.day} share="1">
    <path class="area" d=${`${path}L${width} ${height}L0 ${height}Z`} /><path class="line" d=${path} /></${Plot}>`;
}
