import type { ConfigDocument } from "../machineConfig";

/** The configuration of the admission plugin PodSecurity, by its name. */
export const podSecurity: ConfigDocument = {
  name: "PodSecurity",
  // Pods must not harm their node unless their namespace allows it. The rest of the level
  // "restricted" causes warnings.
  configuration: {
    apiVersion: "pod-security.admission.config.k8s.io/v1alpha1",
    kind: "PodSecurityConfiguration",
    defaults: {
      enforce: "baseline",
      "enforce-version": "latest",
      audit: "restricted",
      "audit-version": "latest",
      warn: "restricted",
      "warn-version": "latest",
    },
    exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-system"] },
  },
};

/** What the API server writes about each request into its audit log. */
export const auditPolicy: ConfigDocument = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [{ level: "Metadata" }],
};

/**
 * Who may ask the API server without credentials: only those that look whether it works. Source:
 * `DefaultAuthenticationConfig` in types/k8s/authentication.go, Talos v1.14.1.
 */
export const authentication: ConfigDocument = {
  anonymous: {
    enabled: true,
    conditions: ["/livez", "/readyz", "/healthz"].map((path) => ({ path })),
  },
  jwt: [],
};

/** The same where nobody may: what `--anonymous-auth=false` says, which Talos passes without documents. */
export const noAnonymous: ConfigDocument = { anonymous: { enabled: false }, jwt: [] };
