import { parse } from "yaml";
import { withServerAddress } from "../../cli/configFiles/withServerAddress";
import { serverHost } from "../../scripts/kubeconfigAccess";

const kubeconfig = `
apiVersion: v1
kind: Config
clusters:
  - name: one
    cluster: { server: "https://k8s.local.talos.example:6443", certificate-authority-data: Y2E= }
users:
  - name: admin@one
    user: { client-certificate-data: Y3J0, client-key-data: a2V5 }
`;

describe("withServerAddress", () => {
  it("dials the address but checks the certificate for the name", () => {
    const config = parse(withServerAddress(kubeconfig, "127.9.0.1")) as {
      clusters: { cluster: Record<string, string> }[];
    };
    expect(config.clusters[0]?.cluster).toEqual({
      server: "https://127.9.0.1:6443",
      "tls-server-name": "k8s.local.talos.example",
      "certificate-authority-data": "Y2E=",
    });
  });
});

describe("serverHost", () => {
  it("is the name in the server's URL", () => {
    expect(serverHost(kubeconfig)).toBe("k8s.local.talos.example");
  });
});
