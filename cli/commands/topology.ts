import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { CommandFailure } from "../commandFailure";
import { withStack } from "../engine/withStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { readResources } from "../stackResource";
import { notes, output } from "../standardStreams";
import { readTopology } from "../topology/readTopology";
import { renderMermaid } from "../topology/renderMermaid";
import { renderSvg } from "../topology/renderSvg";
import type { SvgTheme } from "../topology/svgTheme";

interface TopologyOptions extends StackOptions {
  readonly svg?: boolean;
  readonly mermaid?: boolean;
  readonly theme: SvgTheme;
  readonly output?: string;
  readonly vpc?: string;
}

export function topologyCommand(): Command {
  return stackCommand("topology", "draws a stack's network, machines and allowed connections")
    .addOption(new Option("--svg", "as an SVG picture (default)").conflicts("mermaid"))
    .addOption(new Option("--mermaid", "as Mermaid, for Markdown"))
    .addOption(
      new Option("--theme <theme>", "colours of the SVG picture; auto follows the reader's")
        .choices(["auto", "light", "dark"])
        .default("auto"),
    )
    .option("-o, --output <file>", "the file to write (default: standard output)")
    .option("--vpc <id>", "the network to draw, if the stack has several")
    .action(topology);
}

async function topology(stack: string, options: TopologyOptions): Promise<void> {
  const exported = await withStack({ stack, cwd: options.cwd }, (opened) => opened.exportStack());
  const all = readTopology(readResources(exported));
  const chosen = all.filter(({ network }) => options.vpc === undefined || network === options.vpc);
  const [only, ...more] = chosen;
  if (only === undefined) {
    throw new CommandFailure(
      all.length === 0
        ? `the stack "${stack}" has no network and no machines: bring it up first`
        : `the stack "${stack}" has nothing in the network "${options.vpc ?? ""}": it has ${list(all)}`,
    );
  }
  if (more.length > 0) {
    throw new CommandFailure(
      `the stack "${stack}" has several networks: choose one with --vpc, of ${list(all)}`,
    );
  }
  const text =
    options.mermaid === true ? renderMermaid(only) : renderSvg(only, stack, options.theme);
  if (options.output === undefined) {
    output.write(text);
    return;
  }
  await writeFile(options.output, text);
  notes.line(`Drawn into ${options.output}.`);
}

function list(all: readonly { readonly network: string }[]): string {
  return all.map(({ network }) => `"${network}"`).join(", ");
}
