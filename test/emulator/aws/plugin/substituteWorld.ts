import { type AddressSlice, claimAddressSlice } from "../../../../emulator/aws/addressSlice";
import { type MotoServer, startMotoServer } from "../../../../emulator/aws/motoServer";
import { functionKinds } from "../../../../emulator/aws/plugin/functions/functionKinds";
import { resolveProviderConfig } from "../../../../emulator/aws/plugin/providerConfig";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import { type LiveResource, Substitute } from "../../../../emulator/aws/plugin/substitute";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { ensureMoto } from "../../../../emulator/aws/pythonEnvironment";

/** The region everything lies in. */
export const REGION = "us-east-1";

const credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } = {
  accessKeyId: "emulator",
  secretAccessKey: "emulator",
};

/** The substitute for the AWS plugin on an emulated AWS, without an engine. */
export interface SubstituteWorld {
  readonly substitute: Substitute;
  /** Settings of an SDK's client that speaks to the same AWS. */
  readonly clientSettings: {
    readonly region: string;
    readonly endpoint: string;
    readonly credentials: typeof credentials;
  };
  /** First three numbers of Elastic IP addresses. */
  readonly elasticNetwork: string;
  /**
   * Checks inputs, refusing what is wrong with them, makes the resource, and sees that AWS tells of
   * it what was asked for.
   */
  readonly make: (type: string, inputs: Values) => Promise<LiveResource>;
  /** Changes a resource in place, and fails when AWS couldn't, or tells of it something else. */
  readonly change: (type: string, before: LiveResource, inputs: Values) => Promise<LiveResource>;
  /** Deletes a resource, twice, and sees that it is gone. */
  readonly remove: (type: string, resource: LiveResource) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The token of a type in `aws.ec2`: `aws:ec2/vpc:Vpc`. */
export function ec2(kind: string): string {
  return `aws:ec2/${kind.charAt(0).toLowerCase()}${kind.slice(1)}:${kind}`;
}

/** Starts one; `close` it. */
export async function startSubstituteWorld(): Promise<SubstituteWorld> {
  const { python } = await ensureMoto();
  const slice: AddressSlice = await claimAddressSlice();
  const violations: string[] = [];
  const moto: MotoServer = await startMotoServer({
    python,
    instanceNetwork: slice.instanceNetwork,
    elasticNetwork: slice.elasticNetwork,
    warmUpMs: 200,
    onChange: () => undefined,
    onViolation: (text) => violations.push(text),
    onUnexpectedEnd: (reason) => process.stderr.write(`${reason}\n`),
    onLog: () => undefined,
  });
  const environment = { AWS_ENDPOINT_URL: moto.url, AWS_REGION: REGION };
  const substitute = new Substitute(
    resourceKinds,
    functionKinds,
    resolveProviderConfig({}, environment),
  );
  const checked = (type: string, olds: Values, news: Values): Values => {
    const context = { pulumiName: "test", randomSeed: new Uint8Array(32) };
    const { inputs, failures } = substitute.check(type, olds, news, context);
    if (failures.length > 0) {
      throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
    }
    return inputs;
  };
  const isAsTold = async (type: string, resource: LiveResource): Promise<LiveResource> => {
    expect(await substitute.read(type, resource.id, resource)).toEqual(resource);
    expect(substitute.diff(type, resource, resource.inputs).changes).toEqual({});
    return resource;
  };
  return {
    substitute,
    clientSettings: { region: REGION, endpoint: moto.url, credentials },
    elasticNetwork: slice.elasticNetwork,
    make: async (type, inputs) =>
      isAsTold(type, await substitute.create(type, checked(type, {}, inputs), {})),
    change: async (type, before, inputs) => {
      const news = checked(type, before.inputs, inputs);
      const changes = Object.entries(substitute.diff(type, before, news).changes);
      expect(changes.filter(([, { replaces }]) => replaces)).toEqual([]);
      return isAsTold(type, await substitute.update(type, before.id, before, news, {}));
    },
    remove: async (type, resource) => {
      await substitute.delete(type, resource.id, resource, {});
      expect(await substitute.read(type, resource.id, resource)).toBeUndefined();
      await substitute.delete(type, resource.id, resource, {});
    },
    close: async () => {
      substitute.close();
      await moto.stop();
      await slice.release();
      expect(violations).toEqual([]);
    },
  };
}
