import { componentTable } from "../../provider/config/flags/componentTable";
import type { SourceFacts } from "./releaseFacts";

/** What is to be done when the points of a report are decided, in this order. */
export function nextSteps({ release, machinery }: SourceFacts): readonly string[] {
  const minor = release.replace(/^v(\d+\.\d+).*$/, "$1");
  const newest = machinery.kubernetes[minor]?.[1] ?? 0;
  const kubernetes = `v${machinery.imageTags.kubernetes.replace(/^v/, "")}`;
  const isNew = !(String(newest) in componentTable.releases);
  return [
    ...(isNew
      ? [
          `Record the components of Kubernetes 1.${newest}: \`node scripts/run.mjs recordComponents ${kubernetes}\`, then \`node scripts/run.mjs recordConfigFiles\`. Each compiles Kubernetes.`,
        ]
      : []),
    "Decide the points above, and try each with a test.",
    "Record what the new release answers: `npm run conformance -- --record`.",
    `Accept the release: \`NEWEST_ACCEPTED_MINOR\` in \`provider/config/releases/acceptedTalos.ts\`, and \`NEWEST_MINOR\` in \`provider/config/releases/versionContract.ts\` for its contract. Then \`node scripts/run.mjs generateConfigTypes\`.`,
    "Say in `docs/releases.md` what the release was judged by.",
    "`npm test`, and with labs `npm run test:machines` and `npm run test:kubernetes`.",
  ];
}
