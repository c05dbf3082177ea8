import type * as pulumi from "@pulumi/pulumi";
import type { ClusterKubeconfigRequest, TalosClusterArgs } from "../components";
import {
  functionArguments,
  type MembersSchema,
  resourceArguments,
  type TypeSchema,
} from "../provider/schema";
import { PRESETS, type PresetName } from "./presets";

/** Arguments of a cluster, as a file can hold them. */
export type PlainClusterArgs = pulumi.Unwrap<TalosClusterArgs>;

/** The settings of a user's kubeconfig. */
export type KubeconfigSettings = Omit<pulumi.Unwrap<ClusterKubeconfigRequest>, "user">;

/** The settings of a stack, as they are written in its file: a cluster's arguments, and a few more. */
export interface GivenSettings
  extends Omit<PlainClusterArgs, "environment">, Partial<Pick<PlainClusterArgs, "environment">> {
  readonly preset?: PresetName;
  /** Read by `isServedByPlugin`. */
  readonly plugin?: boolean;
  /** Kubeconfigs of people and pipelines, by user. */
  readonly kubeconfigs?: Readonly<Record<string, KubeconfigSettings>>;
}

/** The type of a cluster in the package's schema. */
export const CLUSTER = "talos-aws:index:TalosCluster";

/** The settings of an environment: names, shapes, and which are required. */
export function settingsSchema(): MembersSchema {
  const { properties, required = [], ...others } = resourceArguments(CLUSTER);
  const own: Readonly<Record<Exclude<keyof GivenSettings, keyof TalosClusterArgs>, TypeSchema>> = {
    preset: { type: "string", enum: Object.keys(PRESETS).map((value) => ({ value })) },
    plugin: { type: "boolean" },
    kubeconfigs: {
      type: "object",
      description: "Kubeconfigs by user, for example `{anna: {groups: [operators]}}`.",
      additionalProperties: kubeconfigSchema(),
    },
  };
  return {
    ...others,
    properties: { ...properties, ...own },
    // The preset has one.
    required: required.filter((name) => name !== "environment"),
  };
}

/** What a kubeconfig is asked for with, but for the user, which is its key. */
function kubeconfigSchema(): TypeSchema {
  const { properties = {} } = functionArguments(`${CLUSTER}/createKubeconfig`);
  const { __self__: cluster, user, ...request } = properties;
  return { type: "object", properties: request };
}
