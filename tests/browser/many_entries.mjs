// Entries by the thousand, each another one, as the lines that `loci add --jsonl` reads.
const subjects = ['harbour', 'orchard', 'workshop', 'library', 'kitchen', 'meadow', 'station', 'tower', 'bakery', 'garden'];
const verbs = ['opens', 'closes', 'needs', 'keeps', 'loses', 'sells', 'paints', 'repairs', 'orders', 'stores'];
const things = ['lanterns', 'barrels', 'ladders', 'ropes', 'carpets', 'kettles', 'hammers', 'baskets', 'candles', 'wheels'];

export function manyEntries(count) {
  const lines = [];
  for (let i = 0; i < count; i++) {
    const at = new Date(Date.UTC(2024, 0, 1) + i * 600000).toISOString();
    lines.push(JSON.stringify({ text: `The ${subjects[i % 10]} of street ${i % 977} ${verbs[Math.floor(i / 10) % 10]} ${i % 91} ${things[Math.floor(i / 100) % 10]} near ${things[(i * 7) % 10]} lot${i}.`, at }));
  }
  return `${lines.join('\n')}\n`;
}
