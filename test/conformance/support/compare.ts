import { ConfigError, type ConfigProblem } from "../../../provider/config/configError";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches } from "../../../provider/config/patches/patch";
import type { ConfigSchema } from "../../../provider/config/schema/configSchema";
import { validateDocuments } from "../../../provider/config/validate";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/yaml/encode";
import type { Oracle } from "./oracle";
import { firstDifference } from "./textDifference";

/** What was made of a configuration and patches, or why nothing was. */
export type Outcome =
  | { readonly text: string; readonly problems: readonly string[] }
  | { readonly text?: undefined; readonly problems: readonly string[] };

/** What we make of a configuration and patches. */
export function ourOutcome(
  config: string,
  patches: readonly string[],
  schema: ConfigSchema,
): Outcome {
  let patched: ConfigDocument[];
  try {
    patched = applyPatches(decodeDocuments(config), patches, { schema });
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    return { problems: error.problems.map(describe) };
  }
  const problems = validateDocuments(patched, { schema });
  return { text: encodeDocuments(patched, schema), problems: problems.map(describe) };
}

/** What Talos makes of them. */
export async function theirOutcome(
  config: string,
  patches: readonly string[],
  oracle: Oracle,
): Promise<Outcome> {
  const patched = await oracle.patch(config, patches);
  if (patched.refused !== undefined) {
    return { problems: [patched.refused] };
  }
  const validated = await oracle.validate(patched.result, { strict: false });
  return {
    text: patched.result,
    problems: validated.refused === undefined ? [] : [validated.refused],
  };
}

/** How two outcomes differ; undefined when they are the same text, or both are a refusal. */
export function differenceOf(ours: Outcome, theirs: Outcome): string | undefined {
  const weRefuse = ours.problems.length > 0;
  const theyRefuse = theirs.problems.length > 0;
  if (weRefuse !== theyRefuse) {
    return weRefuse ? "only we refuse" : "only Talos refuses";
  }
  return ours.text !== undefined && theirs.text !== undefined && ours.text !== theirs.text
    ? "another text"
    : undefined;
}

function describe({ document, path, message }: ConfigProblem): string {
  return [document, path, message].filter((part) => part !== "").join(": ");
}

/** A difference in words: what each says, and where the texts part. */
export function explain(difference: string, ours: Outcome, theirs: Outcome): string {
  return [
    difference,
    ...ours.problems.map((problem) => `we say: ${problem}`),
    ...theirs.problems.map((problem) => `Talos says: ${problem}`),
    ...(ours.text === undefined || theirs.text === undefined
      ? []
      : [firstDifference(ours.text, theirs.text) ?? ""]),
  ].join("\n");
}
