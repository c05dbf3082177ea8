import { type KubeconfigCluster, kubeconfigText } from "../../provider/pki";
import type { KnownAccess, KnownIssuer } from "./planAuthentication";

/** The cluster of such a kubeconfig. */
export interface LoginCluster extends Omit<KubeconfigCluster, "user"> {
  /** Its region, where AWS is asked for tokens. */
  readonly region: string | undefined;
}

/** The user's name in the kubeconfig alone; Kubernetes knows users by their tokens. */
const USER = "login";

/**
 * The kubeconfig of people who log in: kubectl runs a program for each token. With AWS, that is
 * `talos-aws token`; otherwise `kubectl oidc-login` for the first issuer. It has no key, so it is no secret.
 * Undefined without an issuer.
 *
 * Sources: kubernetes.io, "Authenticating", client-go credential plugins; README of int128/kubelogin.
 */
export function loginKubeconfig(
  { oidc: [first], aws }: KnownAccess,
  { region, ...cluster }: LoginCluster,
): string | undefined {
  const exec =
    aws !== undefined
      ? awsPlugin(cluster.serverUrl, region)
      : first === undefined
        ? undefined
        : oidcPlugin(first);
  return exec && kubeconfigText({ ...cluster, user: USER }, { exec });
}

const API_VERSION = "client.authentication.k8s.io/v1";

function awsPlugin(audience: string, region: string | undefined) {
  return {
    apiVersion: API_VERSION,
    command: "talos-aws",
    args: ["token", "--audience", audience, ...(region === undefined ? [] : ["--region", region])],
    interactiveMode: "Never",
    installHint:
      "talos-aws is in the npm package pulumi-talos-aws: npm install --global pulumi-talos-aws",
  };
}

function oidcPlugin({ issuerUrl, audiences: [client = ""] }: KnownIssuer) {
  return {
    apiVersion: API_VERSION,
    command: "kubectl",
    args: [
      "oidc-login",
      "get-token",
      `--oidc-issuer-url=${issuerUrl}`,
      `--oidc-client-id=${client}`,
    ],
    interactiveMode: "IfAvailable",
    installHint: "kubectl oidc-login is the plugin kubelogin: kubectl krew install oidc-login",
  };
}
