/** Colours of a picture; `auto` follows the reader's choice of light or dark. */
export type SvgTheme = "light" | "dark" | "auto";

interface Palette {
  readonly background: string;
  readonly text: string;
  readonly soft: string;
  readonly line: string;
  readonly panel: string;
  readonly tier: string;
  readonly card: string;
  readonly controlPlane: string;
  readonly worker: string;
  readonly balancer: string;
  readonly outside: string;
}

const LIGHT: Palette = {
  background: "#ffffff",
  text: "#1f2328",
  soft: "#59636e",
  line: "#c4ccd4",
  panel: "#f6f8fa",
  tier: "#eaeef2",
  card: "#ffffff",
  controlPlane: "#7a3ec8",
  worker: "#0a7d55",
  balancer: "#0b5fce",
  outside: "#a8560b",
};

const DARK: Palette = {
  background: "#0d1117",
  text: "#e6edf3",
  soft: "#9aa5b1",
  line: "#3d4650",
  panel: "#151b23",
  tier: "#1d2530",
  card: "#0d1117",
  controlPlane: "#c297ff",
  worker: "#4fc596",
  balancer: "#6cb0ff",
  outside: "#f0a35e",
};

export function svgStyle(theme: SvgTheme): string {
  const fixed = [
    `text{font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif;font-size:12px}`,
    `.title{font-size:20px;font-weight:600}.name{font-weight:600}.small{font-size:11px}`,
    `.mono{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:11px}`,
    `.badge{font-size:11px;font-weight:600;text-anchor:middle}.dashed{stroke-dasharray:6 4}`,
    `.arrow{fill:none;stroke-width:1.5}.end{text-anchor:end}.middle{text-anchor:middle}`,
  ].join("\n");
  const colours =
    theme === "auto"
      ? `${rules(LIGHT)}\n@media (prefers-color-scheme: dark){\n${rules(DARK)}\n}`
      : rules(theme === "dark" ? DARK : LIGHT);
  return `${fixed}\n${colours}`;
}

function rules(palette: Palette): string {
  const { background, text, soft, line, panel, tier, card } = palette;
  const parties = (["controlPlane", "worker", "balancer", "outside"] as const).flatMap((name) => [
    `.${name}-fill{fill:${palette[name]}}`,
    `.${name}-line{stroke:${palette[name]}}`,
  ]);
  return [
    `.background{fill:${background}}text{fill:${text}}.soft{fill:${soft}}`,
    `.panel{fill:${panel};stroke:${line}}.zone{fill:none;stroke:${line}}`,
    `.tier{fill:${tier}}.card{fill:${card}}.badge{fill:${background}}.rule{stroke:${line}}`,
    ...parties,
  ].join("\n");
}
