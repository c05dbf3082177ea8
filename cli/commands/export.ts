import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { withStack } from "../engine/withStack";
import { withoutSecrets } from "../offline/withoutSecrets";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";

export function exportCommand(): Command {
  return stackCommand("export", "writes a stack's state without any secret, for previews")
    .option("-f, --file <file>", "the file to write (default: standard output)")
    .action(async (stack: string, { cwd, file }: StackOptions & { readonly file?: string }) => {
      const state = await withStack({ stack, cwd }, (opened) => opened.exportStack());
      const text = `${JSON.stringify(withoutSecrets(state), undefined, 2)}\n`;
      if (file === undefined) {
        output.write(text);
        return;
      }
      await writeFile(file, text, { mode: 0o600 });
      notes.line(
        `Wrote ${file}: preview from it with "talos-aws preview ${stack} --state ${file}".`,
      );
    });
}
