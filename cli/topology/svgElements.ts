import type { Box } from "./layout";

/** Text for an SVG document. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A rectangle with round corners. */
export function rectangle({ x, y, width, height }: Box, classes: string, radius: number): string {
  return `<rect class="${classes}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
}

/** A line of text; `y` is its baseline. */
export function svgText(x: number, y: number, text: string, classes: string): string {
  const styled = classes === "" ? "" : ` class="${classes}"`;
  return `<text${styled} x="${x}" y="${y}">${escapeXml(text)}</text>`;
}
