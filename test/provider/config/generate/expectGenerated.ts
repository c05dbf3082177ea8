import { checkMachineConfigInput } from "../../../../provider/config/checkInput";
import { type GappedMapping, mapping, union } from "../../../../provider/config/generate/mapping";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { MachineConfigInput } from "../../../../provider/config/machineConfigInput";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import type { SecretsBundle } from "../../../../provider/pki/secretsBundle";
import { fillPlaceholders, placeholderBundle } from "../placeholders";

/** The contracts of the Talos minors that are supported. */
export const contracts = ["v1.10", "v1.11", "v1.12", "v1.13"] as const;

export type Contract = (typeof contracts)[number];

export type Options = Partial<MachineConfigInput>;

const secretsBundle = JSON.parse(
  fillPlaceholders(JSON.stringify(placeholderBundle)),
) as SecretsBundle;

/** The input of a control plane, unless options say otherwise, that needs nothing more. */
export function inputWith(contract: string, options: Options): MachineConfigInput {
  return {
    clusterName: "example",
    endpoint: "https://api.example.com:6443",
    machineType: "controlplane",
    secretsBundle,
    versionContract: contract,
    kubernetesVersion: "1.32.0",
    installDisk: "/dev/xvda",
    installerImage: "factory.talos.dev/aws-installer/abc:v1.12.1",
    ...options,
  };
}

/** What a configuration has that one without the options lacks. */
export interface Expected {
  /** In the machine configuration proper. Default: nothing. */
  readonly config?: GappedMapping;
  /** Beside it, all but the document that has Talos choose the hostname. Default: nothing. */
  readonly documents?: readonly GappedMapping[];
}

/** That options add this and nothing else, and that the contract's Talos takes the result. */
export function expectGenerated(contract: string, options: Options, expected: Expected): void {
  const input = inputWith(contract, options);
  const [config, ...documents] = generateMachineConfig(input);
  const { machineType } = input;
  const [base = {}] = generateMachineConfig(inputWith(contract, { machineType }));
  expect(config).toEqual(union(base, mapping(expected.config ?? {})));
  expect(documents.filter(({ auto }) => auto !== "stable")).toEqual(
    (expected.documents ?? []).map((fields) => ({ apiVersion: "v1alpha1", ...fields })),
  );
  const schema = talosSchema(contract);
  expect(
    validateDocuments(config === undefined ? [] : [config, ...documents], { schema, machineType }),
  ).toEqual([]);
}

/** All that is wrong with options, each as `property: reason`. */
export function problemsOf(options: Options): string[] {
  return checkMachineConfigInput(options).map(({ property, reason }) => `${property}: ${reason}`);
}
