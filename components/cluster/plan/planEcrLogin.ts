import type { Patch } from "../../../provider";
import { plannedPatches } from "../../../provider/config";

/**
 * Private registries of ECR, as the extension in Talos' images for AWS logs in to. Source: Talos v1.14.1,
 * `types/k8s/credential_provider.go`.
 */
const REGISTRIES = [
  "*.dkr.ecr.*.amazonaws.com",
  "*.dkr.ecr.*.amazonaws.com.cn",
  "*.dkr.ecr-fips.*.amazonaws.com",
];

/** Whether an image is in a private registry of ECR, which asks for a password. */
export function isInEcr(image: string): boolean {
  return /^\d{12}\.dkr\.ecr(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\//.test(image);
}

/**
 * The patches that have kubelet log in to ECR with the machine's role. Images of Talos for AWS contain the program for
 * it, and Talos doesn't configure kubelet to run it. Source: siderolabs/extensions, `ecr-credential-provider`.
 */
export function planEcrLogin(versionContract: string): Patch[] {
  const provider = {
    name: "ecr-credential-provider",
    apiVersion: "credentialprovider.kubelet.k8s.io/v1",
    matchImages: REGISTRIES,
    defaultCacheDuration: "12h",
  };
  const configuration = {
    apiVersion: "kubelet.config.k8s.io/v1",
    kind: "CredentialProviderConfig",
    providers: [provider],
  };
  return plannedPatches(versionContract, [
    ["machine.kubelet.credentialProviderConfig", configuration],
  ]);
}
