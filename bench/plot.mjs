// Draws cost against number of items as an SVG: panels side by side, both axes logarithmic, a line for each
// operation with its name at the end. It brings its own background, so that it reads on a light and a dark page.
import { figure } from './numbers.mjs';

const ink = { text: '#24292f', quiet: '#6e7781', grid: '#d8dee4', card: '#ffffff' };
const colours = ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#bf3989', '#57606a', '#9a6700'];
const panel = { width: 430, height: 330, left: 56, right: 96, top: 64, bottom: 46 };

const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x, y, words, { anchor = 'middle', fill = ink.text, size = 12, weight = 400 } = {}) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${fill}" font-size="${size}" font-weight="${weight}">${escape(words)}</text>`;
const line = (x1, y1, x2, y2, stroke) =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="${stroke}"/>`;

// `panels`: [{title, unit, series: [{name, points: [{items, value}], apart: [{items, value}]}]}]. Points are
// joined; those in `apart` are drawn as rings, and `apart_means` says in the legend what they are.
export function plot({ title, panels, apart_means }) {
  const width = panels.length * panel.width;
  const body = panels.map((one, n) => `<g transform="translate(${n * panel.width} 0)">${drawPanel(one)}</g>`);
  const legend = apart_means ? `rings: ${apart_means}` : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${panel.height}" width="${width}" height="${panel.height}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${panel.height}" rx="8" fill="${ink.card}"/>`,
    text(16, 24, title, { anchor: 'start', size: 14, weight: 600 }),
    text(width - 16, 24, legend, { anchor: 'end', fill: ink.quiet }),
    ...body,
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ title, unit, series }) {
  const all = series.flatMap(({ points, apart = [] }) => [...points, ...apart]);
  const x = axis(
    all.map(({ items }) => items),
    panel.left,
    panel.width - panel.right,
  );
  const y = axis(
    all.map(({ value }) => value),
    panel.height - panel.bottom,
    panel.top,
  );
  const parts = [text(panel.left, panel.top - 16, `${title}, ${unit}`, { anchor: 'start', fill: ink.quiet })];

  for (const tick of ticks(y, [1, 2, 5])) {
    parts.push(line(panel.left, y.at(tick), panel.width - panel.right, y.at(tick), ink.grid));
    parts.push(text(panel.left - 8, y.at(tick) + 4, plain(tick), { anchor: 'end', fill: ink.quiet }));
  }
  for (const tick of ticks(x, [1])) {
    parts.push(line(x.at(tick), panel.height - panel.bottom, x.at(tick), panel.height - panel.bottom + 5, ink.quiet));
    parts.push(text(x.at(tick), panel.height - panel.bottom + 19, countName(tick), { fill: ink.quiet }));
  }
  parts.push(text((panel.left + panel.width - panel.right) / 2, panel.height - 8, 'items', { fill: ink.quiet }));

  const labels = [];
  series.forEach(({ name, points, apart = [] }, n) => {
    const colour = colours[n % colours.length];
    const path = points.map(({ items, value }) => `${x.at(items).toFixed(1)},${y.at(value).toFixed(1)}`).join(' ');
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    for (const point of points)
      parts.push(
        dot(
          x.at(point.items),
          y.at(point.value),
          colour,
          `${name}, ${countName(point.items)}: ${figure(point.value)} ${unit}`,
        ),
      );
    for (const point of apart)
      parts.push(dot(x.at(point.items), y.at(point.value), colour, `${name}: ${figure(point.value)} ${unit}`, true));
    const end = points.at(-1);
    if (end) labels.push({ name, colour, y: y.at(end.value), x: x.at(end.items) });
  });
  spread(labels, 14);
  for (const label of labels)
    parts.push(text(label.x + 10, label.y + 4, label.name, { anchor: 'start', fill: label.colour, weight: 600 }));
  return parts.join('\n');
}

const dot = (cx, cy, colour, words, ring = false) =>
  `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${ring ? 4.5 : 3.5}" fill="${ring ? ink.card : colour}" stroke="${colour}" stroke-width="2"><title>${escape(words)}</title></circle>`;

// A logarithmic axis over the values, with some room at both ends, from pixel `from` to pixel `to`.
function axis(values, from, to) {
  const low = Math.log10(Math.min(...values)) - 0.1;
  const high = Math.log10(Math.max(...values)) + 0.1;
  return { low, high, at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from) };
}

function ticks({ low, high }, steps) {
  const found = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (Math.log10(value) >= low && Math.log10(value) <= high) found.push(value);
    }
  }
  return found;
}

const plain = (value) => (value >= 1 ? value.toLocaleString('en-US') : String(Number(value.toPrecision(2))));
const countName = (value) => (value >= 1e6 ? `${value / 1e6} million` : value.toLocaleString('en-US'));

// Moves labels apart so that none covers another, keeping their order.
function spread(labels, distance) {
  labels.sort((a, b) => a.y - b.y);
  for (let n = 1; n < labels.length; n += 1) labels[n].y = Math.max(labels[n].y, labels[n - 1].y + distance);
  const bottom = panel.height - panel.bottom;
  for (let n = labels.length - 1; n >= 0; n -= 1) {
    const limit = n === labels.length - 1 ? bottom : labels[n + 1].y - distance;
    labels[n].y = Math.min(labels[n].y, limit);
  }
}
