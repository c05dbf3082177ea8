import { isMapping, mapMembers, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { valueAt } from "../quote";
import { admissionErrors, admissionFiles } from "./admissionErrors";
import { isPluginOn } from "./admissionFlags";
import { auditErrors } from "./auditErrors";
import { authenticationErrors } from "./authenticationErrors";
import { authorizationErrors } from "./authorizationErrors";
import type { ComponentFile } from "./componentFiles";
import { type DecodeError, decodeErrors, wordsOfDecoding } from "./decodeErrors";
import { aggregate, type FieldError, wordsOfField } from "./fieldErrors";
import { kindsAt } from "./fileTypes";
import { schedulerErrors } from "./schedulerErrors";
import { schedulerStartErrors, type StartError } from "./schedulerStart";

/** A file without the kind that its reader expects. */
export interface KindError {
  readonly kind: "kind";
  readonly path: Path;
  /** `apiVersion kind`, each. */
  readonly expected: readonly string[];
  readonly words: string;
}

/** What nothing reads. */
export interface Unread {
  readonly path: Path;
  readonly reason: string;
}

/** What is wrong with a file. */
export type FileFault = DecodeError | FieldError | StartError | KindError;

/** What becomes of a file. */
export interface Verdict {
  /** What Talos can't convert, so that it writes none of the component's files. */
  readonly unwritable: readonly DecodeError[];
  /** Why the component doesn't start. */
  readonly refused: readonly FileFault[];
  readonly unread: readonly Unread[];
  /** What the component prints when it ends; undefined if it starts. */
  readonly words: string | undefined;
}

const FINE: Verdict = { unwritable: [], refused: [], unread: [], words: undefined };

/** Judges a file as Talos, and then the component, would. */
export function judgeFile(file: ComponentFile): Verdict {
  return JUDGES[file.kind](file);
}

const JUDGES: Readonly<Record<ComponentFile["kind"], (file: ComponentFile) => Verdict>> = {
  scheduler: judgeScheduler,
  audit: judgeAudit,
  authorization: judgeAuthorization,
  authentication: judgeAuthentication,
  admission: judgeAdmission,
};

const SCHEDULER = "config/v1.KubeSchedulerConfiguration";

/**
 * Talos v1.12 writes only what its own types know of the scheduler's configuration; later ones write all
 * of it. Sources: `schedulerConfig` in `k8s/render_config_static_pods.go` of v1.12.1 and v1.13.9.
 */
const WRITES_ALL_SINCE = 13;

function judgeScheduler(file: ComponentFile): Verdict {
  const { minor, talosMinor, talosTypes } = file;
  const forTalos = decodeErrors(file.content, SCHEDULER, talosTypes);
  const dropped = talosMinor < WRITES_ALL_SINCE ? unknownIn(forTalos) : [];
  const content = without(file.content, dropped);
  const decoded = decodeErrors(content, SCHEDULER, minor);
  const args = argsErrors(content, minor);
  const refused = [...unknownIn(decoded), ...args.flatMap(({ errors }) => errors)];
  const invalid = schedulerErrors(content, minor);
  const started = file.isUpstream ? schedulerStartErrors(content, minor) : [];
  const nested = args.map(({ words }) => words);
  return {
    unwritable: forTalos.filter(({ kind }) => kind === "type"),
    refused: [...refused, ...invalid, ...started],
    unread: [...dropped.map(({ path }) => droppedBy(talosMinor, path))],
    words:
      typeWords(args.flatMap(({ errors }) => errors)) ??
      strictWords([...unknownIn(decoded).map(wordsOfDecoding), ...nested]) ??
      fieldWords(invalid) ??
      started[0]?.words,
  };
}

/** The arguments of plugins have types of their own, by the plugin's name. */
function argsErrors(
  content: YamlValue,
  minor: number,
): readonly { readonly errors: readonly DecodeError[]; readonly words: string }[] {
  const kinds = kindsAt(minor);
  return listAt(content, ["profiles"]).flatMap((profile) =>
    listAt(content, [...profile, "pluginConfig"]).flatMap((entry) => {
      const name = valueAt(content, [...entry, "name"]);
      const args = valueAt(content, [...entry, "args"]);
      const type = kinds.get(`kubescheduler.config.k8s.io/v1 ${String(name)}Args`);
      if (type === undefined || args === undefined || args === null) {
        return [];
      }
      const inside = decodeErrors(args, type, minor);
      const told = strictWords(inside.map(wordsOfDecoding)) ?? "";
      const place = `decoding .profiles[${String(profile[1])}].pluginConfig[${String(entry[3])}]`;
      return inside.length === 0
        ? []
        : [
            {
              errors: inside.map((error) => ({
                ...error,
                path: [...entry, "args", ...error.path],
              })),
              words: `${place}: strict decoding error: decoding args for plugin ${String(name)}: ${told}`,
            },
          ];
    }),
  );
}

function judgeAudit(file: ComponentFile): Verdict {
  const { content, minor, talosTypes } = file;
  // Talos itself refuses unknown fields.
  const unwritable = decodeErrors(content, "audit/v1.Policy", talosTypes);
  const kind = kindError(content, ["audit.k8s.io/v1 Policy"], kindsAt(minor));
  const invalid = auditErrors(content, minor);
  const path = "/system/config/kubernetes/kube-apiserver/auditpolicy.yaml";
  const empty: FieldError[] =
    listAt(content, ["rules"]).length === 0
      ? [{ kind: "required", path: ["rules"], detail: "without rules, nothing would be logged" }]
      : [];
  const told =
    kind !== undefined
      ? `failed decoding: ${kind.words}`
      : (fieldWords(invalid) ??
        (empty.length > 0 ? "loaded illegal policy with 0 rules" : undefined));
  return {
    ...FINE,
    unwritable,
    refused: [...(kind === undefined ? [] : [kind]), ...invalid, ...empty],
    words: told === undefined ? undefined : `loading audit policy file: ${told}: from file ${path}`,
  };
}

/** Talos writes what its own types know of a webhook. */
function judgeAuthorization(file: ComponentFile): Verdict {
  const { talosTypes, talosMinor, minor } = file;
  const type = "apiserver/v1.AuthorizationConfiguration";
  const forTalos = decodeErrors(file.content, type, talosTypes);
  const dropped = unknownIn(forTalos);
  const content = without(file.content, dropped);
  const unknown = unknownIn(decodeErrors(content, authorizationType(minor), minor));
  const invalid = authorizationErrors(content, minor);
  const told = strictWords(unknown.map(wordsOfDecoding));
  return {
    unwritable: forTalos.filter(({ kind }) => kind === "type"),
    refused: [...unknown, ...invalid],
    unread: dropped.map(({ path }) => droppedBy(talosMinor, path)),
    words:
      told === undefined
        ? fieldWords(invalid)
        : `failed to load AuthorizationConfiguration from file: ${told}`,
  };
}

/** Source: `KubeAPIServerAuthorizationConfigAPIVersion` of siderolabs/go-kubernetes. */
function authorizationType(minor: number): string {
  const version = minor >= 32 ? "v1" : minor >= 30 ? "v1beta1" : "v1alpha1";
  return `apiserver/${version}.AuthorizationConfiguration`;
}

/** Talos v1.14 sets version and kind, and writes the rest as it stands. */
function judgeAuthentication(file: ComponentFile): Verdict {
  const { content, minor, talosTypes } = file;
  const type = "apiserver/v1beta1.AuthenticationConfiguration";
  const forTalos = decodeErrors(content, type, talosTypes);
  const unknown = unknownIn(decodeErrors(content, type, minor));
  const invalid = authenticationErrors(content, minor);
  const told = fieldWords(invalid);
  return {
    ...FINE,
    unwritable: forTalos.filter(({ kind }) => kind === "type"),
    refused: [...unknown, ...invalid],
    words:
      strictWords(unknown.map(wordsOfDecoding)) ??
      (told === undefined ? undefined : `invalid authentication configuration: ${told}`),
  };
}

function judgeAdmission(file: ComponentFile): Verdict {
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

function kindOf(content: YamlValue): string {
  const { apiVersion, kind } = isMapping(content) ? content : {};
  return `${String(apiVersion)} ${String(kind)}`;
}

/** A file has to say its version and kind. */
function kindError(
  content: YamlValue,
  expected: readonly string[],
  kinds: ReadonlyMap<string, string>,
): KindError | undefined {
  const { apiVersion, kind } = isMapping(content) ? content : {};
  const here = expected.filter((each) => kinds.has(each));
  const error = (path: string, words: string): KindError => ({
    ...{ kind: "kind", path: [path], expected: here, words },
  });
  if (typeof kind !== "string" || kind === "") {
    return error("kind", `Object 'Kind' is missing in '${JSON.stringify(content)}'`);
  }
  if (typeof apiVersion !== "string" || apiVersion === "") {
    return error("apiVersion", `Object 'apiVersion' is missing in '${JSON.stringify(content)}'`);
  }
  const isVersion = here.some((each) => each.startsWith(`${apiVersion} `));
  return here.includes(kindOf(content))
    ? undefined
    : error(
        isVersion ? "kind" : "apiVersion",
        `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
}

function unknownIn(errors: readonly DecodeError[]) {
  return errors.filter(({ kind }) => kind === "unknown");
}

function droppedBy(talosMinor: number, path: Path): Unread {
  return { path, reason: `Talos v1.${talosMinor} doesn't know it, and leaves it out` };
}

/** A decoder ends with the first value of another type. */
function typeWords(errors: readonly DecodeError[]): string | undefined {
  const wrong = errors.find(({ kind }) => kind === "type");
  return wrong === undefined ? undefined : wordsOfDecoding(wrong);
}

function strictWords(messages: readonly string[]): string | undefined {
  return messages.length === 0 ? undefined : `strict decoding error: ${messages.join(", ")}`;
}

function fieldWords(errors: readonly FieldError[]): string | undefined {
  return errors.length === 0 ? undefined : aggregate(errors.map(wordsOfField));
}

/** The paths of a list's items. */
function listAt(content: YamlValue, path: Path): Path[] {
  const value = valueAt(content, path);
  return Array.isArray(value) ? value.map((_, index) => [...path, index]) : [];
}

/** A content without some of its fields. */
function without(content: YamlValue, fields: readonly DecodeError[]): YamlValue {
  return fields.reduce<YamlValue>((rest, { path }) => leaveOut(rest, path), content);
}

function leaveOut(value: YamlValue, [step, ...path]: Path): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item: YamlValue, index) => (index === step ? leaveOut(item, path) : item));
  }
  return isMapping(value)
    ? mapMembers(value, (member, key): YamlValue | undefined =>
        key !== step ? member : path.length === 0 ? undefined : leaveOut(member, path),
      )
    : value;
}
