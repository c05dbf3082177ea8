import { type Properties, isProperties, mappingAt, numberOf, objects } from "../properties";
import { adoptionFailure, type FormerResource, textOf } from "./formerResource";

const WHAT = "this Terraform state can't be read";

/** The format of state files since Terraform v0.12, which OpenTofu writes too. */
const FILE_VERSION = 4;

/** Whether JSON is a state of Terraform: a state file, or what `terraform show -json` prints. */
export function isTerraformState(json: Properties): boolean {
  return ["terraform_version", "format_version", "encrypted_data", "lineage"].some(
    (key) => key in json,
  );
}

/**
 * The resources in a state of Terraform or OpenTofu: of a state file, of `terraform state pull`, or of
 * `terraform show -json`.
 *
 * Source of the two formats: Terraform v1.11.4, `internal/states/statefile/version4.go` and
 * `internal/command/jsonstate/state.go`.
 *
 * @throws CommandFailure for another format, and for a state without resources
 */
export function readTerraformState(json: Properties): readonly FormerResource[] {
  if ("encrypted_data" in json) {
    throw adoptionFailure(WHAT, [
      'it is encrypted: give what "tofu state pull" prints, which is in clear',
    ]);
  }
  const { version, format_version: shown, values } = json;
  if (shown === undefined && version !== FILE_VERSION) {
    throw adoptionFailure(WHAT, [
      `it has the format version ${JSON.stringify(version ?? null)}, and ${FILE_VERSION} is supported: run "terraform apply" with Terraform v0.12 or newer, which writes it`,
    ]);
  }
  if (typeof shown === "string" && !shown.startsWith("1.")) {
    throw adoptionFailure(WHAT, [
      `"terraform show -json" wrote the format "${shown}", and "1.0" and later ones of 1 are supported: give what "terraform state pull" prints`,
    ]);
  }
  const found =
    shown === undefined
      ? objects(json, "resources").flatMap(ofStateFile)
      : ofModule(isProperties(values) ? values.root_module : undefined);
  if (found.length === 0) {
    throw adoptionFailure(WHAT, [
      'it has no resources: give the state file, or what "terraform state pull" or "terraform show -json" prints',
    ]);
  }
  return found;
}

/** The instances of a resource in a state file. Those that a failed replacement left are not its. */
function ofStateFile(resource: Properties): readonly FormerResource[] {
  const { mode, type, name, module } = resource;
  const isData = mode === "data";
  const block = [module, isData ? "data" : undefined, type, name]
    .filter((part) => typeof part === "string")
    .join(".");
  return objects(resource, "instances")
    .filter(({ deposed }) => deposed === undefined)
    .map((instance) => {
      const { index_key: index } = instance;
      return {
        ...identity(block, String(name), index),
        type: String(type),
        isData,
        schemaVersion: numberOf(instance, "schema_version"),
        attributes: mappingAt(instance, "attributes"),
      };
    });
}

/** The resources of a module and of those in it, as `terraform show -json` nests them. */
function ofModule(module: unknown): readonly FormerResource[] {
  if (!isProperties(module)) {
    return [];
  }
  const own = objects(module, "resources")
    .filter(({ deposed_key: deposed }) => deposed === undefined)
    .map((resource): FormerResource => {
      const { mode, type, name, index } = resource;
      const address = textOf(resource, "address") ?? "";
      return {
        ...identity(address.replace(/\[[^\]]*\]$/, ""), String(name), index),
        type: String(type),
        isData: mode === "data",
        schemaVersion: numberOf(resource, "schema_version"),
        attributes: mappingAt(resource, "values"),
      };
    });
  return [...own, ...objects(module, "child_modules").flatMap(ofModule)];
}

function identity(
  block: string,
  name: string,
  index: unknown,
): Pick<FormerResource, "address" | "block" | "name"> {
  if (typeof index === "number") {
    // People count from 1.
    return { address: `${block}[${index}]`, block, name: `${name}-${index + 1}` };
  }
  return typeof index === "string"
    ? { address: `${block}[${JSON.stringify(index)}]`, block, name: `${name}-${index}` }
    : { address: block, block, name };
}
