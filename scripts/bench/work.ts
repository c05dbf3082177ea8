import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { talosSchema } from "../../provider/config/schema/talosSchemas";
import { decodeDocuments, encodeDocuments } from "../../provider/config/yaml/encode";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { renderConfiguration } from "../../provider/render/renderConfiguration";
import { machineCount, machinePatch, sampleInput } from "./sample";

/** What is measured, in a process of its own. */
export const works = ["secrets", "generate", "patch"] as const;
export type Work = (typeof works)[number];

/** What a piece of work took, all of it, in the process that did nothing else. */
export interface Measurement {
  readonly times: number;
  readonly seconds: number;
  /** The most memory the process ever had. Unknown of talosctl. */
  readonly peakMiB?: number;
  /** How much of it the work left behind, with its results kept. Known of our process only. */
  readonly heapGrowthMiB?: number;
}

const BYTES_PER_MI_B = 1024 * 1024;

/** How often each piece of work is done. */
export const times: Readonly<Record<Work, number>> = {
  secrets: 10,
  generate: 200,
  patch: machineCount,
};

/** Makes what a piece of work needs; what is returned does it once. */
const prepare: Readonly<Record<Work, () => Promise<(index: number) => unknown>>> = {
  secrets: () => Promise.resolve(() => generateSecretsBundle()),
  generate: async () => {
    const input = await sampleInput();
    return () => encodeDocuments(generateMachineConfig(input));
  },
  // The same steps as a preview takes for each machine: see ConfigurationApply's check.
  patch: async () => {
    const config = encodeDocuments(generateMachineConfig(await sampleInput()));
    return (index) => {
      const schema = talosSchema("v1.12.1");
      const result = renderConfiguration(decodeDocuments(config), [machinePatch(index)], {
        schema,
      });
      if ("failures" in result) {
        throw new Error(result.failures.map(({ reason }) => reason).join("\n"));
      }
      return result.rendered;
    };
  },
};

/** Does a piece of work in this process, which should do nothing else in its life. */
export async function measure(work: Work): Promise<Measurement> {
  const once = await prepare[work]();
  const heapBefore = process.memoryUsage().heapUsed;
  const results: unknown[] = [];
  const start = process.hrtime.bigint();
  for (let index = 0; index < times[work]; index++) {
    results.push(await once(index));
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  globalThis.gc?.();
  const heapGrowthMiB = (process.memoryUsage().heapUsed - heapBefore) / BYTES_PER_MI_B;
  return {
    times: results.length,
    seconds,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    heapGrowthMiB,
  };
}
