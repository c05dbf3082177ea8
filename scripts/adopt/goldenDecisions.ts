import type { Golden } from "./goldens";
import { lineDifference } from "./lineDifference";
import type { ReportSection } from "./reportSection";

/** What is to be decided by configurations that are written otherwise. */
export function goldenDecisions(goldens: readonly Golden[]): ReportSection {
  return {
    title: "Configurations that are written otherwise",
    question:
      "The former contract has to stay as it is: a difference there is a new default, or a way of writing. The other differences are the new contract.",
    upstream: ["pkg/machinery/config/generate", "pkg/machinery/config/encoder"],
    ours: ["provider/config/generateMachineConfig.ts", "provider/config/yaml/encode.ts"],
    points: goldens.flatMap(({ name, before, after }) =>
      before === after
        ? []
        : [
            `${name}\n\n  \`\`\`diff\n${lineDifference(before, after)
              .map((line) => `  ${line}`)
              .join("\n")}\n  \`\`\``,
          ],
    ),
  };
}
