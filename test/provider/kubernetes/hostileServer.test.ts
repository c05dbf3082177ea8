import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { readPages } from "../../../provider/lifecycle/kubernetes/readPages";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { fromBase64 } from "../../../provider/pki/pem";
import { renderKubeconfig } from "../../../provider/pki/renderKubeconfig";
import { sharedSecrets } from "../pki/sharedSecrets";

let server: Server;
let api: KubernetesApi;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  const ca = (await sharedSecrets()).certs.k8s;
  const issue = (usage: "serverAuth" | "clientAuth") =>
    issueCertificate(ca, {
      commonName: "any",
      usages: [usage],
      ipAddresses: ["127.0.0.1"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      keyType: "p256",
    });
  const [serving, client] = await Promise.all([issue("serverAuth"), issue("clientAuth")]);
  server = createServer({ cert: fromBase64(serving.crt), key: fromBase64(serving.key) });
  server.on("request", (request, response) => {
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  api = new KubernetesApi(
    renderKubeconfig({
      clusterName: "c",
      serverUrl: `https://127.0.0.1:${port}`,
      user: "anna",
      authorityCertificate: ca.crt,
      client,
    }),
  );
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string) => api.get(path, { timeoutMs: 60_000 });

describe("an API server that is hostile", () => {
  it("can't fill the memory with an endless answer", async () => {
    const piece = Buffer.alloc(8 * 1024 * 1024, " ");
    let sent = 0;
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && sent < 100) {
          sent += 1;
          if (!response.write(piece)) {
            response.once("drain", more);
            return;
          }
        }
      };
      more();
    };
    await expect(get("/api/v1/nodes")).rejects.toThrow("answers with more than 256 MiB");
    expect(sent).toBeLessThan(60);
  });

  it("can't fill a terminal with a refusal", async () => {
    answer = (_request, response) => {
      response.statusCode = 403;
      response.end(JSON.stringify({ message: "no ".repeat(1_000_000) }));
    };
    const refusal = (await get("/api/v1/nodes").catch((error: unknown) => error)) as Error;
    expect(refusal.message).toMatch(/^the Kubernetes API answers 403: no no /);
    expect(refusal.message.length).toBeLessThan(5_000);
  });

  it.each([
    ["of many objects", { items: Array(600_000).fill({ name: "a" }) }, 1_200_000],
    ["without an object", { items: [] }, 0],
    ["that aren't lists", {}, 0],
  ])("can't lead through pages without an end, %s", async (_what, page, least) => {
    let asked = 0;
    const text = JSON.stringify({ ...page, metadata: { continue: "on" } });
    const ask = () => {
      asked += 1;
      return Promise.resolve(text);
    };
    await expect(readPages("pods", "/api/v1/pods", ask, (pod) => pod)).rejects.toThrow(
      new RegExp(`lists pods without an end: after ${least || ""}\\d*`),
    );
    expect(asked).toBeLessThan(10);
  });

  it("is asked for each page after the one before", async () => {
    const pages = [
      { items: [{ name: "a" }], metadata: { continue: "x/&" } },
      { items: null, metadata: { continue: "y" } },
      { items: [{ name: "b", more: 1 }], metadata: {} },
    ];
    const asked: string[] = [];
    const found = await readPages(
      "pods",
      "/p",
      (path) => Promise.resolve(JSON.stringify(pages[asked.push(path) - 1])),
      ({ name }: { readonly name: string }) => ({ name }),
    );
    expect(found).toEqual([{ name: "a" }, { name: "b" }]);
    expect(asked).toEqual([
      "/p?limit=500",
      "/p?limit=500&continue=x%2F%26",
      "/p?limit=500&continue=y",
    ]);
  });
});
