import type { ConfigProblem } from "./configError";
import type { MachineType } from "./machineBasics";
import { type ConfigDocument, documentId, textAt } from "./machineConfig";
import { checkCluster } from "./rules/clusterRules";
import { conflictProblems } from "./rules/conflictRules";
import { documentRules } from "./rules/documentRules";
import { DocumentView } from "./rules/documentView";
import { checkInstallation, containerProblems, type ValidationMode } from "./rules/installRules";
import { checkMachine } from "./rules/machineRules";
import { checkInterfaces } from "./rules/networkRules";
import { checkUnparsed } from "./rules/unparsedRules";
import { coerceDocument } from "./schema/coerce";
import type { ConfigSchema } from "./schema/configSchema";
import { schemaProblems } from "./schema/schemaProblems";
import { newestSchema } from "./schema/talosSchemas";

/**
 * All problems of a machine configuration: unknown documents and keys, wrong types and words,
 * missing fields, contradictory values. An empty list means that Talos accepts the configuration on
 * a machine of that mode, as far as that is known without the machine. No message contains a secret.
 *
 * @param options.schema of the Talos that reads the configuration. Default: the newest
 * @param options.machineType the expected type of the machine. Default: the one in the
 *   configuration
 * @param options.mode how the machine runs Talos. Default: `cloud`
 */
export function validateDocuments(
  documents: readonly ConfigDocument[],
  options: {
    readonly schema?: ConfigSchema | undefined;
    readonly machineType?: MachineType | undefined;
    readonly mode?: ValidationMode | undefined;
  } = {},
): ConfigProblem[] {
  const { schema = newestSchema } = options;
  const problems = documents.flatMap((document) => documentProblems(document, schema, options));
  if (!documents.some((document) => documentId(document) === "v1alpha1")) {
    problems.unshift({
      document: "",
      path: "",
      message:
        "the machine configuration is missing: the document without a kind, with machine and cluster",
    });
  }
  return [
    ...problems,
    ...conflictProblems(documents, schema),
    ...(options.mode === "container" ? containerProblems(documents) : []),
  ];
}

/** What is known of the machine. */
interface ExpectedMachine {
  readonly machineType?: MachineType | undefined;
  readonly mode?: ValidationMode | undefined;
}

function documentProblems(
  document: ConfigDocument,
  schema: ConfigSchema,
  { machineType, mode }: ExpectedMachine,
): ConfigProblem[] {
  const kind = textAt(document, "kind") ?? "";
  const field = schema.document(kind);
  if (field === undefined) {
    return schemaProblems(document, schema);
  }
  const coerced = coerceDocument(document, field);
  const found = schemaProblems(document, schema, { coerced });
  const view = new DocumentView(coerced, schema.talosMinor);
  if (kind === "") {
    checkConfig(view, machineType);
    if (mode === "metal" && view.isMapping("machine")) {
      checkInstallation(view);
    }
  } else {
    if (schema.documents.get(kind)?.named === true) {
      view.require("it identifies documents of this kind", ["name"]);
    }
    documentRules.get(kind)?.(view);
  }
  // If both report a problem, the rule's message is more specific.
  const judged = new Set(view.problems.map(({ path }) => path));
  return [...found.filter(({ path }) => !judged.has(path)), ...view.problems];
}

function checkConfig(view: DocumentView, machineType: MachineType | undefined): void {
  const sections = ["machine", "cluster"].filter((section) => !view.isMapping(section));
  for (const section of sections) {
    view.report([section], "is required");
  }
  const actual = view.text("machine", "type");
  if (machineType !== undefined && actual !== undefined && actual !== machineType) {
    view.report(
      ["machine", "type"],
      `${view.quote("machine", "type")} has to be "${machineType}", the type of this machine`,
    );
  }
  if (!sections.includes("machine")) {
    checkMachine(view);
    checkInterfaces(view);
    checkUnparsed(view);
  }
  if (!sections.includes("cluster")) {
    checkCluster(view);
  }
}
