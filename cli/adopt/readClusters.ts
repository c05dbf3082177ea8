import { messageOfError } from "../../provider/base";
import { decodeDocuments, fieldsOfDocuments, textAt, valueAt } from "../../provider/config";
import { type Properties, mappingAt, texts } from "../properties";
import { said } from "../said";
import type { FormerCluster, FormerMachine } from "./formerCluster";
import { adoptionFailure, type FormerResource, textOf } from "./formerResource";
import { secretsText } from "./secretsText";

/** The versions of resources' schemas whose attributes are known. */
const SCHEMAS: Readonly<Record<string, number>> = {
  talos_machine_secrets: 1,
  talos_machine_configuration_apply: 1,
};

/** The type of the resources that configure one machine each. */
const MACHINE = "talos_machine_configuration_apply";

/** The same of siderolabs/talos v0.12, whose releases are not final. */
const NEWER_MACHINE = "talos_machine";

/** A machine, and what its configuration says of its cluster. */
interface ReadMachine extends FormerMachine {
  readonly authority: string;
  readonly clusterName: string;
  readonly machineType: string;
  readonly generated: FormerResource | undefined;
}

/**
 * The clusters that resources of siderolabs/talos configure, by the CA of their Talos API.
 *
 * Source of the attributes: terraform-provider-talos v0.4.0 to v0.11.0.
 *
 * @param label of the tool's state, for messages
 * @throws CommandFailure with all problems
 */
export function readClusters(
  resources: readonly FormerResource[],
  label: string,
): readonly FormerCluster[] {
  const problems = resources.flatMap(schemaProblem);
  const machines = resources
    .filter(({ type, isData }) => type === MACHINE && !isData)
    .flatMap((resource) => readMachine(resource, resources, problems));
  const authorities = [...new Set(machines.map(({ authority }) => authority))];
  if (machines.length === 0 && problems.length === 0) {
    problems.push(
      `no machine of Talos is in it: its resources of the type "${MACHINE}" are the machines`,
    );
  }
  const clusters = authorities.flatMap((authority) => {
    const own = machines.filter((machine) => machine.authority === authority);
    return clusterOf(authority, own, resources, problems);
  });
  if (problems.length > 0) {
    throw adoptionFailure(`no cluster can be taken over from ${label}`, problems);
  }
  return clusters;
}

function schemaProblem({ address, type, isData, schemaVersion }: FormerResource): string[] {
  if (type === NEWER_MACHINE && !isData) {
    return [
      `"${address}" is a resource of siderolabs/talos v0.12, and v0.4 to v0.11 are supported: give a talosconfig instead, with which the machines themselves are asked`,
    ];
  }
  const { [type]: known } = SCHEMAS;
  const isKnown = isData || known === undefined || (schemaVersion ?? known) === known;
  return said(
    !isKnown &&
      `"${address}" has the schema version ${schemaVersion ?? "none"}, and ${known} is supported, which siderolabs/talos v0.4 to v0.11 write: run "terraform apply" with one of these first`,
  );
}

function readMachine(
  { address, name, attributes }: FormerResource,
  resources: readonly FormerResource[],
  problems: string[],
): readonly ReadMachine[] {
  const configuration = textOf(attributes, "machine_configuration");
  const node = textOf(attributes, "node");
  if (configuration === undefined || node === undefined) {
    const missing = node === undefined ? "address" : "configuration";
    problems.push(
      `"${address}" records no ${missing} of its machine, as with write-only arguments: give a talosconfig instead, with which the machines themselves are asked`,
    );
    return [];
  }
  const input = textOf(attributes, "machine_configuration_input");
  const generated = resources.find(
    (each) =>
      each.type === "talos_machine_configuration" &&
      textOf(each.attributes, "machine_configuration") === input,
  );
  const facts = factsOf(address, configuration, problems);
  return facts === undefined
    ? []
    : [
        {
          ...facts,
          address,
          name,
          node,
          configuration,
          generated,
          machineId: instanceOf(node, attributes, resources) ?? node,
          endpoint: textOf(attributes, "endpoint") ?? node,
          patches: generated && [
            ...texts(generated.attributes, "config_patches"),
            ...texts(attributes, "config_patches"),
          ],
          block: generated?.block ?? "",
          contract: generated && textOf(generated.attributes, "talos_version"),
          isWiped: mappingAt(attributes, "on_destroy").reset === true,
        },
      ];
}

/** What a configuration says of its cluster. */
export function factsOf(
  address: string,
  configuration: string,
  problems: string[],
): Pick<ReadMachine, "authority" | "clusterName" | "machineType"> | undefined {
  try {
    const fields = fieldsOfDocuments(decodeDocuments(configuration));
    const authority = valueAt(fields, ["machine", "ca", "crt"]);
    if (typeof authority !== "string") {
      problems.push(`the configuration of "${address}" has no CA at machine.ca`);
      return undefined;
    }
    return {
      authority,
      clusterName: textAt(fields.cluster, "clusterName") ?? "",
      machineType: textAt(fields.machine, "type") ?? "",
    };
  } catch (error) {
    problems.push(`the configuration of "${address}" can't be read: ${messageOfError(error)}`);
    return undefined;
  }
}

/** The EC2 instance with an address, if the tool made one. */
function instanceOf(
  node: string,
  attributes: Properties,
  resources: readonly FormerResource[],
): string | undefined {
  const addresses = [node, textOf(attributes, "endpoint")];
  const instance = resources.find(
    ({ type, attributes: of }) =>
      type === "aws_instance" &&
      ["public_ip", "private_ip"].some((key) => {
        const address = textOf(of, key);
        return address !== undefined && addresses.includes(address);
      }),
  );
  return instance && textOf(instance.attributes, "id");
}

function clusterOf(
  authority: string,
  machines: readonly ReadMachine[],
  resources: readonly FormerResource[],
  problems: string[],
): readonly FormerCluster[] {
  const controlPlane = machines.find(({ machineType }) => machineType === "controlplane");
  const name = (controlPlane ?? machines[0])?.clusterName ?? "";
  if (controlPlane === undefined) {
    problems.push(
      `the cluster "${name}" has no control plane machine in it, without which neither its secrets nor its etcd are known`,
    );
    return [];
  }
  const made = resources.find(
    ({ type, attributes }) =>
      type === "talos_machine_secrets" && authorityOf(attributes) === authority,
  );
  const holder = [made, controlPlane.generated].find(
    (each) => each !== undefined && authorityOf(each.attributes) === authority,
  );
  const secrets = holder && mappingAt(holder.attributes, "machine_secrets");
  return [
    {
      name,
      secrets: secrets === undefined ? controlPlane.configuration : secretsText(secrets),
      contract: made && textOf(made.attributes, "talos_version"),
      machines: named(machines),
      managed: resources.filter(
        (each) => !each.isData && each.type.startsWith("talos_") && isOf(each, authority, machines),
      ),
    },
  ];
}

function authorityOf(attributes: Properties): string | undefined {
  const { certs } = mappingAt(attributes, "machine_secrets");
  const { os } = mappingAt({ certs }, "certs");
  return textOf(mappingAt({ os }, "os"), "cert");
}

/** Whether a resource is of a cluster, as its machine, its credentials or its secrets say. */
function isOf(
  { address, attributes }: FormerResource,
  authority: string,
  machines: readonly ReadMachine[],
): boolean {
  const client = textOf(mappingAt(attributes, "client_configuration"), "ca_certificate");
  return (
    machines.some((machine) => machine.address === address) ||
    (client ?? authorityOf(attributes)) === authority
  );
}

/** Machines with names that no two have, and that Pulumi's names may contain. */
function named(machines: readonly ReadMachine[]): readonly FormerMachine[] {
  const counts = new Map<string, number>();
  return machines.map(({ authority, clusterName, machineType, generated, ...machine }) => {
    const plain = machine.name.replaceAll(/[^A-Za-z0-9.-]+/g, "-").replaceAll(/^-+|-+$/g, "");
    const name = plain === "" ? "machine" : plain;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...machine, name: count === 1 ? name : `${name}-${count}` };
  });
}

/**
 * The cluster to take over.
 *
 * @param name needed where there are several
 * @throws CommandFailure if the name chooses none, or is missing
 */
export function chooseCluster(
  clusters: readonly FormerCluster[],
  name: string | undefined,
): FormerCluster {
  const chosen = name === undefined ? clusters : clusters.filter((each) => each.name === name);
  const [only, second] = chosen;
  const names = clusters.map((each) => `"${each.name}"`).join(", ");
  if (only === undefined) {
    throw adoptionFailure("no cluster is chosen", [
      `there is none of the name "${name ?? ""}": the state has ${names}`,
    ]);
  }
  if (second !== undefined) {
    throw adoptionFailure("no cluster is chosen", [
      name === undefined
        ? `the state has several: name one of ${names} with --cluster`
        : `the state has ${chosen.length} clusters of the name "${name}": give a state with one of them`,
    ]);
  }
  return only;
}
