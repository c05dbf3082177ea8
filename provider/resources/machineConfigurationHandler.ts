import { isDeepStrictEqual } from "node:util";
import { isUnknown, UNKNOWN } from "../base/unknown";
import type { InlineManifest } from "../config/generate/inlineManifest";
import { installerImage } from "../config/installer/installerImage";
import type { ConfigDocument } from "../config/machineConfig";
import { isWithheldBundle, shownInputs } from "../config/secrets/shownInputs";
import type { Handler } from "../engine/handler";
import { hideMarked } from "../render/renderConfiguration";
import { renderUnknown, placeholderBundle, placeholderFor } from "../render/renderUnknown";
import { bundleOf } from "./bundleText";
import {
  type ConfigurationRevision,
  countPatches,
  type CountedPatches,
  nextRevision,
} from "./configurationRevision";
import { isMarkable } from "./machineConfiguration";
import { outlineProblems } from "./outlineProblems";
import {
  checkKnown,
  type Computed,
  contractWarnings,
  type Given,
  type OtherPatches,
  render,
  warningsOf,
} from "./roleRendering";

type Inputs = Given & Computed & OtherPatches & Partial<CountedPatches>;

interface State extends Computed, Pick<Partial<CountedPatches>, "machineRevisions"> {
  /** Absent until the first change, and in older releases' states. */
  readonly revision?: ConfigurationRevision;
}

/** The computed inputs while the configuration is unknown. */
const notYet = {
  machineConfiguration: UNKNOWN,
  machineConfigurationHash: UNKNOWN,
  redactedConfiguration: UNKNOWN,
  installerImage: UNKNOWN,
};

/** Checks, creates, reads, updates and deletes `MachineConfiguration`. */
export const machineConfigurationHandler: Handler<Inputs, State> = {
  transient: [
    ...(["secretsBundle", "machineConfiguration", "machineConfigurationHash"] as const),
    ...(["machinePatches", "otherPatches", "plannedSettings", "nodeCount"] as const),
    ...(["controlPlaneCount", "markedValues"] as const),
  ],
  derived: ["redactedConfiguration"],
  isMarkable,
  computed: ["redactedConfiguration", "installerImage", "machinePatchHashes", "machineRevisions"],

  check(olds, news) {
    if (!Object.hasOwn(news, "secretsBundle")) {
      const reason = `it is missing; if "ignoreChanges" names it, remove it there, because the state doesn't contain it`;
      const failures = [{ property: "secretsBundle", reason }];
      return Promise.resolve({ inputs: news, failures });
    }
    const { plannedSettings, nodeCount, controlPlaneCount, markedValues = [] } = news;
    const judgedBy = { plannedSettings, nodeCount, controlPlaneCount };
    const given = { ...withoutComputed(news), ...judgedBy, markedValues };
    const { machinePatches = {}, otherPatches } = news;
    const counted = { ...countedPatches(olds, news), otherPatches };
    const { secretsBundle, acceptedAuthorities, inlineManifests, ...others } = given;
    const { plannedSettings: _, markedValues: __, ...plain } = others;
    const failures = hideMarked(checkKnown(given), markedValues);
    // Refused inputs are returned as they were given. With unknown values among them, an engine
    // that updates shows an error about those, not the failures (pulumi v3.230.0, `Check` in
    // provider_plugin.go).
    if (failures.length > 0) {
      return Promise.resolve({ inputs: news, failures });
    }
    if (isUnknown(plain) || !areNamed(inlineManifests)) {
      return Promise.resolve({ inputs: { ...given, ...counted, ...notYet }, failures });
    }
    const image = installerImage(given);
    if (isUnknown([secretsBundle, acceptedAuthorities, inlineManifests])) {
      const result = renderUnknown((placeholder) =>
        render(
          {
            ...given,
            secretsBundle: isUnknown(secretsBundle)
              ? placeholderBundle(placeholder)
              : secretsBundle,
            acceptedAuthorities: placeholderFor(acceptedAuthorities, placeholder),
            inlineManifests: placeholderFor(inlineManifests, placeholder),
          },
          image,
          { machinePatches, otherPatches },
        ),
      );
      const refused =
        "failures" in result
          ? result.failures
          : outlineProblems(olds?.redactedConfiguration, given, result.outline);
      if ("failures" in result || refused.length > 0) {
        return Promise.resolve({ inputs: news, failures: refused });
      }
      const known = { redactedConfiguration: result.outline, installerImage: image };
      const inputs = { ...comparable(given, result.outline), ...counted, ...notYet, ...known };
      return Promise.resolve({ inputs, failures: [], warnings: warningsOf(result, given) });
    }
    const result = render(given, image, { machinePatches, otherPatches });
    if ("failures" in result) {
      return Promise.resolve({ inputs: news, failures: result.failures });
    }
    const refused = outlineProblems(olds?.redactedConfiguration, given, result.rendered.outline);
    if (refused.length > 0) {
      return Promise.resolve({ inputs: news, failures: refused });
    }
    const { text, hash, outline } = result.rendered;
    const computed = {
      machineConfiguration: text,
      machineConfigurationHash: hash,
      redactedConfiguration: outline,
      installerImage: image,
    };
    const inputs = { ...comparable(given, outline), ...counted, ...computed };
    const warnings = [
      ...contractWarnings(olds, given, image),
      ...warningsOf(result.rendered, given),
    ];
    return Promise.resolve({ inputs, failures: [], warnings });
  },

  diff(_id, state, news) {
    const isRefresh = !Object.hasOwn(news, "machineConfigurationHash");
    return {
      changes:
        (!isRefresh && state.machineConfigurationHash !== news.machineConfigurationHash) ||
        (!isUnknown(news.machineRevisions) &&
          !isDeepStrictEqual(news.machineRevisions ?? {}, state.machineRevisions ?? {})) ||
        state.installerImage !== news.installerImage,
    };
  },

  create(inputs) {
    const id = `${inputs.clusterName}-${inputs.machineType}`;
    return Promise.resolve({ id, state: computedOf(inputs) });
  },

  update(_id, state, news) {
    const { machineConfiguration: former } = state;
    const revision = nextRevision(state.revision, former, news.machineConfiguration);
    return Promise.resolve({ ...computedOf(news), ...(revision && { revision }) });
  },
};

/** What a state without secrets is compared with: it has only what outlines show. */
function comparable(given: Given, outline: ConfigDocument): Given {
  return isUnknown(given.secretsBundle) || !isWithheldBundle(given.secretsBundle)
    ? given
    : { ...given, ...shownInputs(given, outline) };
}

/** Whether a preview knows which manifests there are, if not each text. */
function areNamed(manifests: Given["inlineManifests"]): boolean {
  const isNamed = (manifest: InlineManifest | string) =>
    typeof manifest !== "string" && !isUnknown(manifest.name);
  return manifests === undefined || (Array.isArray(manifests) && manifests.every(isNamed));
}

function withoutComputed(inputs: Inputs): Given {
  const {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
    machinePatches,
    otherPatches,
    machinePatchHashes,
    machineRevisions,
    ...given
  } = inputs;
  const { secretsBundle } = given;
  return isUnknown(secretsBundle) ? given : { ...given, secretsBundle: bundleOf(secretsBundle) };
}

function computedOf(inputs: Inputs): Omit<State, "revision"> {
  const { machineConfiguration, machineConfigurationHash, machineRevisions } = inputs;
  const { redactedConfiguration, installerImage: image } = inputs;
  return {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
    ...(machineRevisions && { machineRevisions }),
  };
}

/**
 * Counts the patches of single machines, from what the last run recorded. A preview knows the result,
 * unless it doesn't know a patch. A program that names no machine records none.
 */
function countedPatches(
  olds: Partial<Inputs> | undefined,
  { machinePatches, secretsBundle }: Inputs,
): Pick<Inputs, "machinePatches" | keyof CountedPatches> {
  if (machinePatches === undefined && olds?.machinePatchHashes === undefined) {
    return { machinePatches };
  }
  if (isUnknown([machinePatches, secretsBundle])) {
    const unknown = { machinePatchHashes: UNKNOWN as never, machineRevisions: UNKNOWN as never };
    return { machinePatches, ...unknown };
  }
  const { secret } = bundleOf(secretsBundle).cluster;
  return { machinePatches, ...countPatches(olds, machinePatches ?? {}, secret) };
}
