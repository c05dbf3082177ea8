import { type Properties, isProperties } from "../properties";
import { said } from "../said";
import { plaintextOf } from "../stateSecret";
import { adoptionFailure, type FormerResource, textOf } from "./formerResource";

const WHAT = "this state of a Pulumi stack can't be read";

/**
 * The resources of pulumiverse/talos, with their types of Terraform, whose provider it wraps. Their
 * properties have the same names, in another spelling. Source: pulumi-talos v0.2.0 to v0.8.1,
 * `schema.json`.
 */
const TYPES: Readonly<Record<string, string>> = {
  "talos:machine/secrets:Secrets": "talos_machine_secrets",
  "talos:machine/configurationApply:ConfigurationApply": "talos_machine_configuration_apply",
  "talos:machine/bootstrap:Bootstrap": "talos_machine_bootstrap",
  "talos:cluster/kubeconfig:Kubeconfig": "talos_cluster_kubeconfig",
  "talos:imageFactory/schematic:Schematic": "talos_image_factory_schematic",
  "aws:ec2/instance:Instance": "aws_instance",
};

/** Minors of pulumiverse/talos, 0.x, whose states are read. */
const OLDEST_MINOR = 2;
const NEWEST_MINOR = 8;

/** Whether JSON is what `pulumi stack export` writes. */
export function isPulumiState(json: Properties): boolean {
  return isProperties(json.deployment);
}

/**
 * The resources of pulumiverse/talos in the state of a stack, from `pulumi stack export --show-secrets`.
 *
 * @throws CommandFailure with all problems: secrets that are encrypted, a version of the package that
 *   isn't known, no resources
 */
export function readPulumiState(json: Properties): readonly FormerResource[] {
  const { resources } = isProperties(json.deployment) ? json.deployment : {};
  const recorded = Array.isArray(resources) ? resources.filter(isProperties) : [];
  const known = recorded.filter(({ type }) => typeof type === "string" && type in TYPES);
  const problems = recorded.flatMap(providerProblem);
  if (known.length === 0) {
    problems.push(
      "it has no resource of pulumiverse/talos: export the stack whose program uses that package",
    );
  }
  if (known.some((resource) => JSON.stringify(resource).includes('"ciphertext"'))) {
    problems.push(
      'its secrets are encrypted: give what "pulumi stack export --show-secrets" prints, through a pipe',
    );
  }
  if (problems.length > 0) {
    throw adoptionFailure(WHAT, problems);
  }
  return known.map((resource) => {
    const address = textOf(resource, "urn") ?? "";
    const inputs = terraformNames(resource.inputs);
    const outputs = terraformNames(resource.outputs);
    return {
      address,
      block: address,
      name: address.split("::").at(-1) ?? "",
      type: TYPES[String(resource.type)] ?? "",
      isData: false,
      schemaVersion: undefined,
      attributes: {
        ...(isProperties(inputs) && inputs),
        ...(isProperties(outputs) && outputs),
      },
    };
  });
}

/** What is wrong with the version of the package. A state of old engines records none. */
function providerProblem({ type, inputs }: Properties): readonly string[] {
  const version = isProperties(inputs) ? textOf(inputs, "version") : undefined;
  if (type !== "pulumi:providers:talos" || version === undefined) {
    return [];
  }
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
  const isKnown = major === "0" && Number(minor) >= OLDEST_MINOR && Number(minor) <= NEWEST_MINOR;
  return said(
    !isKnown &&
      `pulumiverse/talos ${JSON.stringify(version)} wrote it, and 0.${OLDEST_MINOR} to 0.${NEWEST_MINOR} are supported: run "pulumi up" with one of these first`,
  );
}

/** Properties with the names of Terraform, and secrets as plain values. */
function terraformNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(terraformNames);
  }
  if (!isProperties(value)) {
    return value;
  }
  const plaintext = plaintextOf(value);
  if (plaintext !== undefined) {
    return terraformNames(JSON.parse(plaintext));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase(),
      terraformNames(item),
    ]),
  );
}
