import { admissionErrors, admissionFiles } from "./admissionErrors";
import { isPluginOn } from "./admissionFlags";
import type { ComponentFile } from "./componentFiles";
import { decodeErrors, wordsOfDecoding } from "./decodeErrors";
import { kindsAt } from "./fileTypes";
import { kindError, kindOf } from "./kindErrors";
import { fieldWords, FINE, strictWords, typeWords, unknownIn, type Verdict } from "./verdictParts";

/** Judges the configuration of an admission plugin. */
export function judgeAdmission(file: ComponentFile): Verdict {
  const { content, minor, plugin = "", flags } = file;
  const known = admissionFiles.get(plugin);
  if (known === undefined || (known.since ?? 0) > minor) {
    return {
      ...FINE,
      unread: [
        {
          path: [],
          reason: `the plugin ${JSON.stringify(plugin)} of Kubernetes v1.${minor} reads no configuration`,
        },
      ],
    };
  }
  if (!isPluginOn(plugin, known.isOn, flags)) {
    const reason = `the API server doesn't run the plugin ${JSON.stringify(plugin)}: name it in the flag enable-admission-plugins`;
    return { ...FINE, unread: [{ path: [], reason }] };
  }
  const kinds = kindsAt(minor);
  const kind = known.kinds.length === 0 ? undefined : kindError(content, known.kinds, kinds);
  const type = kinds.get(kindOf(content)) ?? `admission.${plugin}`;
  const decoded = kind === undefined ? decodeErrors(content, type, minor) : [];
  const isStrict = (known.strictSince ?? Infinity) <= minor;
  const unknown = unknownIn(decoded);
  const illTyped = decoded.filter((error) => error.kind === "type");
  const wrong = known.isForgiving === true ? [] : illTyped;
  const invalid = kind === undefined ? admissionErrors(known, content, minor) : [];
  const told =
    kind?.words ??
    typeWords(wrong) ??
    (isStrict ? strictWords(unknown.map(wordsOfDecoding)) : undefined);
  const start = `failed to apply admission: ${told === undefined && plugin === "PodSecurity" ? "failed to initialize" : "couldn't init"} admission plugin ${JSON.stringify(plugin)}: `;
  const words = told ?? (invalid.length > 0 ? (known.words ?? fieldWords)(invalid) : undefined);
  return {
    ...FINE,
    refused: [
      ...(kind === undefined ? [] : [kind]),
      ...wrong,
      ...(isStrict ? unknown : []),
      ...invalid,
    ],
    unread: [
      ...(isStrict ? [] : unknown).map(({ path }) => ({
        path,
        reason: `the plugin ${JSON.stringify(plugin)} doesn't know it`,
      })),
      ...(known.isForgiving === true ? illTyped : []).map(({ path }) => ({
        path,
        reason: `the plugin ${JSON.stringify(plugin)} can't read it`,
      })),
    ],
    words: words === undefined ? undefined : start + words,
  };
}
