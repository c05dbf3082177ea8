import type { KubernetesObject } from "../../../provider/kubernetes";
import recorded from "./gen/karpenterDefinitions.json";

/**
 * The definitions of Karpenter's kinds, without the descriptions of their fields. Source: aws/karpenter-provider-aws
 * (Apache-2.0), `pkg/apis/crds`; `scripts/recordKarpenter.ts` writes them.
 */
export const karpenterDefinitions: readonly KubernetesObject[] = recorded.definitions;
