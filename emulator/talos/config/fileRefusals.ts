import {
  type ComponentFile,
  componentFiles,
  type ConfigDocument,
  type DecodeError,
  isMapping,
  judgeFile,
  talosMinor,
  wordsOfDecoding,
  type YamlValue,
} from "../../../provider/config";

/** What components print when they end because of a file that Talos wrote; undefined if they start. */
export type FileRefusals = Readonly<Partial<Record<ComponentFile["program"], string>>>;

/**
 * What ends the components of a control plane because of their configuration files. The words are those of
 * the product's rules, which a test compares with real components.
 *
 * @param talosVersion the running release, `v1.12.1`
 */
export function fileRefusals(
  documents: readonly ConfigDocument[],
  talosVersion: string,
): FileRefusals {
  const refusals: Partial<Record<ComponentFile["program"], string>> = {};
  for (const file of componentFiles(documents, talosMinor(talosVersion) ?? 0)) {
    const { words } = judgeFile(file);
    if (words !== undefined) {
      refusals[file.program] ??= words;
    }
  }
  return refusals;
}

/** What Talos calls a file, and what it says when it can't convert its content. */
const FILES: Readonly<Record<ComponentFile["kind"], readonly [file: string, subject: string]>> = {
  admission: ["admission-control-config.yaml", ""],
  audit: ["auditpolicy.yaml", "audit policy"],
  authorization: ["authorization-config.yaml", "authorizer webhook"],
  authentication: ["authentication-config.yaml", "authentication"],
  scheduler: ["scheduler-config.yaml", "scheduler"],
};

/** Since v1.14, a scheduler's configuration that can't be converted keeps back the scheduler only. */
const SCHEDULER_ALONE_SINCE = 14;

/**
 * Why Talos can't write a configuration file, by the first static pod that it then leaves as it is.
 *
 * Sources: talos v1.12.1 and v1.14.1, `k8s/render_config_static_pods.go` and
 * `k8s/control_plane_final.go`.
 */
export function fileErrors(
  documents: readonly ConfigDocument[],
  minor: number,
): Readonly<Partial<Record<string, string>>> {
  const errors: Partial<Record<string, string>> = {};
  for (const file of componentFiles(documents, minor)) {
    const { unwritable } = judgeFile(file);
    const [name, subject] = FILES[file.kind];
    const program = file.program === "scheduler" ? "kube-scheduler" : "kube-apiserver";
    const reason = conversionError(unwritable);
    if (reason !== undefined) {
      const isAlone = file.kind === "scheduler" && minor >= SCHEDULER_ALONE_SINCE;
      const message = `error unmarshaling ${subject} configuration: ${reason}`;
      errors[isAlone ? program : "kube-apiserver"] ??= isAlone
        ? message
        : `error generating configuration ${JSON.stringify(name)} for ${JSON.stringify(program)}: ${message}`;
    }
  }
  return errors;
}

/** A value of another type ends the conversion; only then unknown fields count. */
function conversionError(errors: readonly DecodeError[]): string | undefined {
  const wrong = errors.find(({ kind }) => kind === "type");
  if (wrong?.kind === "type") {
    return conversionWords(wrong.type, wrong.value, wrong);
  }
  return errors.length === 0
    ? undefined
    : `strict decoding error: ${errors.map(wordsOfDecoding).sort().join(", ")}`;
}

/** Source: k8s.io/apimachinery v0.35.0, `runtime/converter.go`, `fromUnstructured`. */
function conversionWords(type: string, value: YamlValue, error: DecodeError): string {
  const kind = goKind(value);
  if (type === "duration") {
    return typeof value === "string"
      ? wordsOfDecoding(error)
      : `json: cannot unmarshal ${typeof value === "boolean" ? "bool" : typeof value} into Go value of type string`;
  }
  if (type.startsWith("[]")) {
    return `cannot restore slice from ${kind}`;
  }
  if (type.startsWith("map")) {
    return `cannot restore map from ${kind}`;
  }
  const isScalar = /^(?:string|bool|int32|int64|float32|float64)$/.test(type);
  if (!isScalar) {
    return `cannot restore struct from: ${kind}`;
  }
  // Go itself would make a character of a number.
  const isConvertible =
    (kind === "int64" && type === "string") || (kind === "float64" && type.startsWith("int"));
  return isConvertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}

function goKind(value: YamlValue): string {
  if (Array.isArray(value)) {
    return "slice";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? "int64" : "float64";
  }
  return isMapping(value) ? "map" : typeof value === "boolean" ? "bool" : "string";
}
