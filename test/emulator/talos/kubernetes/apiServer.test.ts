import { request } from "node:https";
import { Wire } from "../../../../emulator/talos/faults/wire";
import {
  type ApiServerState,
  KubernetesApiServer,
} from "../../../../emulator/talos/kubernetes/apiServer";
import { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import { publicKeysIn } from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import { deriveServingCertificate } from "../../../../provider/pki/deriveServingCertificate";
import { fromBase64 } from "../../../../provider/pki/pem";
import { createServiceAccountKey } from "../../../../provider/pki/privateKey";
import { signServiceAccountToken } from "../../support/signServiceAccountToken";

describe("an API server and a service account", () => {
  let server: KubernetesApiServer;
  let token: string;
  let serving: ApiServerState;
  let state: ApiServerState | undefined;

  beforeAll(async () => {
    const key = await createServiceAccountKey("p256");
    token = signServiceAccountToken(key);
    serving = {
      store: new KubernetesStore({ written: () => undefined }),
      hasQuorum: true,
      version: "v1.35.0",
      serviceAccountKeys: publicKeysIn([fromBase64(key)]),
      encryptionKeys: [],
    };
    const own = await deriveServingCertificate({ cluster: { id: "", secret: "of a test" } }, ["a"]);
    const [cert, privateKey] = [fromBase64(own.crt), fromBase64(own.key)];
    server = await KubernetesApiServer.start({
      address: "127.0.0.1",
      port: 0,
      identity: { cert, key: privateKey, ca: cert },
      architecture: "amd64",
      state: () => state,
      wire: new Wire(),
    });
  });

  afterAll(() => server.stop());

  const ask = (bearer: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = {
        ...{ host: "127.0.0.1", port: server.port, path: "/api/v1/namespaces" },
        headers: { authorization: `Bearer ${bearer}` },
        ...{ agent: false as const, rejectUnauthorized: false },
      };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });

  it("authenticates the account of the token, which has no permissions, and no other", async () => {
    state = serving;
    expect(await ask(token)).toBe(403);
    expect(await ask(`${token}x`)).toBe(401);
  });

  it("cuts connections while it stops, instead of rejecting the token", async () => {
    state = undefined;
    await expect(ask(token)).rejects.toThrow("socket hang up");
  });
});
