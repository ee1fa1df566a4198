// Figures: medians, and how they are written.
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Three significant digits, thousands set off: 71,300 and 12.3 and 0.0456.
export function figure(value) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = Math.abs(value) >= 1000 ? Number(value.toPrecision(3)) : value;
  return rounded.toLocaleString('en-US', {
    minimumFractionDigits: Math.min(digits, 4),
    maximumFractionDigits: Math.min(digits, 4),
  });
}

export const count = (value) => Math.round(value).toLocaleString('en-US');
export const times = (value) => `${value >= 10 ? value.toFixed(1) : value.toFixed(2)}x`;
export const percent = (value) => `${(value * 100).toFixed(0)} %`;
export const ms = (value_us) => `${figure(value_us / 1000)} ms`;
export const megabytes = (bytes) => `${figure(bytes / 1e6)} MB`;
export const gigabytes = (bytes) => `${figure(bytes / 1e9)} GB`;

export function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 90) return `${whole} s`;
  if (whole < 5400) return `${Math.round(whole / 60)} min`;
  return `${(whole / 3600).toFixed(1)} h`;
}
