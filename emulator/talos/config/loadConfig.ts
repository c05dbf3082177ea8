import { messageOfError } from "../../../provider/base";
import {
  type ConfigDocument,
  ConfigError,
  type ConfigSchema,
  decodeDocuments,
  documentId,
  freeze,
  LruCache,
  newestSchema,
  normalizeDocument,
  talosMinor,
  talosSchemas,
  validateDocuments,
} from "../../../provider/config";
import {
  checksOwnDisk,
  documentImageProblems,
  imageProblems,
  isCheckedImage,
} from "./kubernetesImages";
import { machineFacts, type MachineFacts, v1alpha1Document } from "./machineFacts";
import { talosProblems } from "./talosRules";
import { unknownKeys } from "./unknownKeys";
import { textAt } from "./yamlPath";

/** A readable configuration. */
export interface LoadedConfig {
  /** The original text. */
  readonly text: string;
  /** In Talos' normal form: configurations with the same content are equal. */
  readonly documents: readonly ConfigDocument[];
  /** `undefined` without the v1alpha1 document. */
  readonly facts: MachineFacts | undefined;
}

/** The id of the document with `machine` and `cluster`. */
const V1ALPHA1_ID = "v1alpha1";
const HOSTNAME_PATH = "machine.network.hostname";

/** A cache, because all machines of a pool get the same text. */
const parsed = new LruCache<LoadedConfig>(16);

/** The schemas by which configurations are valid. */
const valid = new WeakMap<LoadedConfig, Set<ConfigSchema>>();

/** Parses a configuration like Talos' loader. Throws `ConfigRefusal` with Talos' message. */
export function parseConfig(text: string): LoadedConfig {
  return parsed.get(text, () => freeze(parse(text)));
}

function parse(text: string): LoadedConfig {
  const decoded = decode(text);
  if (decoded.length === 0) {
    throw new ConfigRefusal("parse", "config not found");
  }
  const seen = new Set<string>();
  const documents = decoded.map((document) => {
    const kind = textAt(document, "kind");
    const apiVersion = textAt(document, "apiVersion") ?? "";
    const id = `${apiVersion}/${kind ?? "v1alpha1"}/${textAt(document, "name") ?? ""}`;
    if (seen.has(id)) {
      throw new ConfigRefusal("parse", `duplicate document ${id} is not allowed`);
    }
    seen.add(id);
    requireKnown(document, newestSchema);
    return normalizeDocument(document);
  });
  return { text, documents, facts: machineFacts(documents) };
}

/**
 * Validates a configuration. Throws `ConfigRefusal` with every problem, in Talos' form; the most
 * important ones have Talos' messages. In details it is stricter than Talos, like the product.
 *
 * @param talosVersion the release that judges. Default: the newest
 */
export function validateConfig(config: LoadedConfig, talosVersion?: string): void {
  const schema = schemaOf(talosVersion);
  const judged = valid.get(config) ?? new Set<ConfigSchema>();
  if (judged.has(schema)) {
    return;
  }
  const { documents } = config;
  requireReadable(config, talosVersion);
  const problems = new Map<string, readonly string[]>();
  for (const [id, messages] of productProblems(documents, schema)) {
    problems.set(id, messages);
  }
  for (const document of documents) {
    const messages = talosProblems(document, schema.talosMinor);
    if (messages.length > 0) {
      problems.set(documentId(document), messages);
    }
  }
  const found = [...problems].flatMap(([id, messages]) =>
    id === V1ALPHA1_ID
      ? [`v1alpha1.Config: ${multiError(messages)}`]
      : id === ""
        ? messages
        : [`${id}: ${messages.join("\n")}`],
  );
  if (hasTwoHostnames(documents)) {
    found.push("static hostname is already set in v1alpha1 config");
  }
  if (found.length > 0) {
    throw new ConfigRefusal("validate", multiError(found));
  }
  valid.set(config, judged.add(schema));
}

/** Throws `ConfigRefusal` for what a release doesn't know: a newer one may have written it. */
function requireReadable({ documents }: LoadedConfig, talosVersion: string | undefined): void {
  for (const document of documents) {
    requireKnown(document, schemaOf(talosVersion));
  }
}

function schemaOf(talosVersion = ""): ConfigSchema {
  return talosSchemas.get(talosMinor(talosVersion) ?? 0) ?? newestSchema;
}

/**
 * Checks a configuration against the Talos that runs. Throws `ConfigRefusal` with Talos' message.
 *
 * @param talosVersion the running release, `v1.12.1`
 */
export function validateAtRuntime({ documents }: LoadedConfig, talosVersion: string): void {
  const problems = imageProblems(v1alpha1Document(documents), talosVersion);
  const found = [
    ...(problems.length > 0 ? [`v1alpha1.Config: ${multiError(problems)}`] : []),
    ...documentImageProblems(documents, talosVersion),
  ];
  if (found.length > 0) {
    throw new ConfigRefusal("runtime", multiError(found));
  }
}

function decode(text: string): ConfigDocument[] {
  try {
    return decodeDocuments(text);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    const [first] = error.problems;
    const where = first && first.document !== "" ? `${first.document}: ` : "";
    throw new ConfigRefusal("parse", `decode error: yaml: ${where}${first?.message ?? ""}`);
  }
}

/** Refuses an unknown kind of document or an unknown key. */
function requireKnown(document: ConfigDocument, schema: ConfigSchema): void {
  const kind = textAt(document, "kind");
  const apiVersion = textAt(document, "apiVersion") ?? "";
  if (kind === undefined && document.version === undefined) {
    throw new ConfigRefusal("parse", "missing kind");
  }
  const field = schema.document(kind ?? "");
  if (!field) {
    const names = [kind ?? "", apiVersion].map((name) => JSON.stringify(name));
    throw new ConfigRefusal("parse", `${names.join(" ")}: not registered`);
  }
  const unknown = unknownKeys(document, field);
  if (unknown !== undefined) {
    throw new ConfigRefusal("parse", `unknown keys found during decoding:\n${unknown}`);
  }
}

function productProblems(
  documents: readonly ConfigDocument[],
  schema: ConfigSchema,
): Map<string, string[]> {
  const byDocument = new Map<string, string[]>();
  const problems = validateDocuments(documents, { schema });
  for (const { document, path, message } of problems) {
    // Talos accepts documents without the machine configuration proper.
    if (document === "" && v1alpha1Document(documents) === undefined) {
      continue;
    }
    if (document === V1ALPHA1_ID && path === HOSTNAME_PATH && hasTwoHostnames(documents)) {
      continue;
    }
    // The running Talos judges them, not the newest: `validateAtRuntime`.
    if (isCheckedImage(document, path)) {
      continue;
    }
    if (isJudgedLater(path, message)) {
      continue;
    }
    const text = path === "" ? message : `${path}: ${message}`;
    byDocument.set(document, [...(byDocument.get(document) ?? []), text]);
  }
  return byDocument;
}

/**
 * Talos looks at flags and the kubelet's settings only when it renders them: `renderErrors`. What it
 * then hands on, the programs themselves refuse: `startRefusal`.
 */
function isJudgedLater(path: string, message: string): boolean {
  return (
    /^(?:machine\.kubelet\.(?:extraConfig|clusterDNS)|config\.|clusterDNS\[)/.test(path) ||
    (/\bextraArgs\b/.test(path) &&
      (message.includes("Talos sets this flag itself") || !message.startsWith("can't be set")))
  );
}

function hasTwoHostnames(documents: readonly ConfigDocument[]): boolean {
  const inDocument = documents.some((document) => documentId(document) === "HostnameConfig");
  const inConfig = textAt(v1alpha1Document(documents), "machine", "network", "hostname");
  return inDocument && inConfig !== undefined;
}

/** Several errors as Go's `hashicorp/go-multierror` prints them. */
export function multiError(problems: readonly string[]): string {
  const count = problems.length === 1 ? "1 error" : `${problems.length} errors`;
  return `${count} occurred:\n${problems.map((problem) => `\t* ${problem}\n`).join("")}\n`;
}

/** A configuration that makes a machine a node of a cluster. */
export type ClusterConfig = LoadedConfig & { readonly facts: MachineFacts };

/** Whether a configuration makes its machine a node of a cluster. */
export function isClusterConfig(config: LoadedConfig): config is ClusterConfig {
  return config.facts !== undefined;
}

/**
 * The machine configuration in an instance's user data, if there is one.
 *
 * @param talosVersion the running release
 * @param log is called with the problem of a `broken` one
 */
export function userDataConfig(
  userData: string | undefined,
  talosVersion: string,
  log: (line: string) => void,
): LoadedConfig | "broken" | undefined {
  if (userData === undefined || userData.trim() === "") {
    return undefined;
  }
  try {
    const config = parseConfig(userData);
    validateConfig(config, talosVersion);
    validateAtRuntime(config, talosVersion);
    return config;
  } catch (error) {
    const reason = messageOfError(error);
    const isAtRuntime = error instanceof ConfigRefusal && error.stage === "runtime";
    const failed = isAtRuntime
      ? "runtime validate config acquired via platform aws"
      : "load config via platform aws";
    log(`failed to ${failed}: ${reason}`);
    return "broken";
  }
}

/**
 * The configuration on a machine's disk when it boots. Older releases of Talos accept whatever they
 * accepted before.
 *
 * @param talosVersion the release that boots
 * @param log is called with the problem of a `broken` one
 */
export function diskConfig(
  config: LoadedConfig,
  talosVersion: string,
  log: (line: string) => void,
): LoadedConfig | "broken" {
  try {
    requireReadable(config, talosVersion);
    if (checksOwnDisk(talosVersion)) {
      validateConfig(config, talosVersion);
      validateAtRuntime(config, talosVersion);
    }
    return config;
  } catch (error) {
    const reason = messageOfError(error);
    log(`failed to validate on-disk config: ${reason}`);
    return "broken";
  }
}

/**
 * Why a node refuses a configuration, with Talos' message. It contains no value that could be
 * secret.
 */
export class ConfigRefusal extends Error {
  override readonly name = "ConfigRefusal";

  constructor(
    /**
     * `parse`: the text is not a configuration. `validate`: a value isn't allowed. `runtime`: this
     * machine can't have it.
     */
    readonly stage: "parse" | "validate" | "runtime",
    message: string,
  ) {
    super(message);
  }
}
