import { request } from "node:https";
import { parse } from "yaml";
import { podIdentityWebhook } from "../../../components/addOns/podIdentityWebhook";
import type { EmulatedNode } from "../../../emulator";
import { certificateRequest } from "../../../emulator/talos/trustd/certificateRequest";
import { requestCertificate } from "../../../emulator/talos/trustd/trustdClient";
import { TalosClient } from "../../../provider/api/talosClient";
import { issueClientCredentials } from "../../../provider/pki/clientCredentials";
import { deriveServingCertificate } from "../../../provider/pki/deriveServingCertificate";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { fromBase64, joinCertificates, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey, SecretsBundle } from "../../../provider/pki/secretsBundle";
import { signServiceAccountToken } from "../../emulator/support/signServiceAccountToken";
import { askEndpoint } from "./askEndpoint";
import { askWithToken } from "./askWithToken";
import type { EngineWorld } from "./engineWorld";
import { isTakenFor } from "./impersonatedServer";
import { outputsIn, storedResources } from "./storedResources";

/** The port of trustd. */
const TRUSTD = 50_001;

/** Whom API servers take for an issuer of tokens: the cluster's endpoint. */
const ISSUER = "https://k8s.local.talos.example:6443";

/** How long the discovery service keeps what it was told last: half an hour, and a minute more. */
const FORGOTTEN_MS = 31 * 60_000;

/** What talks to the cluster, and whether it was let in. */
type Way = readonly [name: string, isOpen: () => Promise<boolean>];

/**
 * Somebody who has all secrets of a cluster from its state, and tries each way in: with certificates and
 * tokens that are made now, and with a connection that is open since the theft. It checks no server, as
 * it doesn't care whom it fools.
 */
export class Thief {
  private constructor(
    private readonly world: EngineWorld,
    private readonly stolen: SecretsBundle,
    private readonly openSince: readonly TalosClient[],
  ) {}

  /** Steals the secrets, and opens a connection to the Talos API of each machine. */
  static async steal(world: EngineWorld, stolen: SecretsBundle): Promise<Thief> {
    const thief = new Thief(world, stolen, []);
    const open = await Promise.all(world.emulator.nodes().map((node) => thief.clientOf(node)));
    const started = new Thief(world, stolen, open);
    await Promise.all(open.map((client) => client.version()));
    return started;
  }

  /** Every way in that the thief knows. */
  async waysIn(): Promise<readonly string[]> {
    const open: string[] = [];
    for (const [name, isOpen] of this.ways()) {
      if (await isOpen()) {
        open.push(name);
      }
    }
    return open;
  }

  /** The names of all ways. */
  get names(): readonly string[] {
    return this.ways().map(([name]) => name);
  }

  /** Lets go of its connections. */
  leave(): void {
    this.openSince.forEach((client) => client.close());
  }

  private ways(): readonly Way[] {
    const { certs, secrets, cluster } = this.stolen;
    const nodes = this.world.emulator.nodes();
    const controlPlanes = nodes.filter(({ machineConfiguration = "" }) =>
      machineConfiguration.includes("type: controlplane"),
    );
    const token = (text: string) => async () => (await askWithToken(this.world, text)) !== 401;
    return [
      ["the Talos API", () => anyOf(nodes, (node) => this.talksTo(node))],
      [
        "a connection to the Talos API from before",
        () => anyOf(this.openSince, (client) => answers(client.version())),
      ],
      ["trustd", () => anyOf(controlPlanes, (node) => this.getsCertificateFrom(node))],
      [
        "the Kubernetes API by certificate",
        () => anyOf(controlPlanes, (node) => isKnownTo(node, certs.k8s, "admin")),
      ],
      [
        "the Kubernetes API in another's name, by the aggregator",
        () => anyOf(controlPlanes, (node) => isKnownTo(node, certs.k8saggregator, FRONT_PROXY)),
      ],
      [
        "the Kubernetes API by a service account's token",
        token(signServiceAccountToken(certs.k8sserviceaccount.key, ISSUER)),
      ],
      ["the Kubernetes API by the bootstrap token", token(secrets.bootstraptoken)],
      ["discovery", () => Promise.resolve(this.reads(cluster))],
      ...(controlPlanes.some(hasWebhook)
        ? [["the place of the webhook of pods", () => this.standsForWebhook()] as const]
        : []),
    ];
  }

  private async clientOf(node: EmulatedNode): Promise<TalosClient> {
    const credentials = await issueClientCredentials(this.stolen.certs.os, {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    const ca = joinCertificates([this.stolen.certs.os.crt, authorityOf(node)]);
    return TalosClient.connect({
      endpoint: node.address,
      node: node.address,
      credentials: { ...credentials, ca },
    });
  }

  private async talksTo(node: EmulatedNode): Promise<boolean> {
    const client = await this.clientOf(node);
    try {
      return await answers(client.version());
    } finally {
      client.close();
    }
  }

  private async getsCertificateFrom(node: EmulatedNode): Promise<boolean> {
    const { csr } = await certificateRequest({
      commonName: "thief",
      dnsNames: ["thief"],
      ipAddresses: [],
    });
    return answers(
      requestCertificate(
        {
          endpoint: `${node.address}:${TRUSTD}`,
          acceptedCas: [this.stolen.certs.os.crt, authorityOf(node)],
          token: this.stolen.trustdinfo.token,
          timeoutMs: 10_000,
        },
        csr,
      ),
    );
  }

  /** Whether API servers, by what they have as configured, would send pods to the thief as to the webhook. */
  private async standsForWebhook(): Promise<boolean> {
    const outputs = outputsIn(await storedResources(this.world.stack));
    const { plaintext } = outputs.kubeconfig as { readonly plaintext: string };
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    const text = await askEndpoint(this.world, JSON.parse(plaintext) as string, path);
    const { items } = JSON.parse(text) as {
      readonly items: readonly {
        readonly webhooks: readonly { readonly clientConfig: { readonly caBundle: string } }[];
      }[];
    };
    const bundles = items.flatMap(({ webhooks }) => webhooks.map((each) => each.clientConfig));
    if (bundles.length === 0) {
      throw new Error("API servers have no webhook");
    }
    const serving = await deriveServingCertificate(this.stolen.certs.k8s, [
      podIdentityWebhook.server.host,
    ]);
    return anyOf(bundles, ({ caBundle }) =>
      isTakenFor(podIdentityWebhook.server.host, serving, caBundle),
    );
  }

  /** Whether the discovery service shows a machine, once it has forgotten what it was told before. */
  private reads(identity: SecretsBundle["cluster"]): boolean {
    vi.useFakeTimers({ now: Date.now() + FORGOTTEN_MS, toFake: ["Date"] });
    try {
      return this.world.emulator.discovered(identity).length > 0;
    } finally {
      vi.useRealTimers();
    }
  }
}

const hasWebhook = ({ machineConfiguration = "" }: EmulatedNode) =>
  machineConfiguration.includes("MutatingWebhookConfiguration");

const FRONT_PROXY = "front-proxy-client";

/** What machines say of themselves in each handshake: the CA that signed their certificates. */
function authorityOf({ machineConfiguration = "" }: EmulatedNode): string {
  const [first = ""] = machineConfiguration.split(/^---$/m).filter((part) => part.trim() !== "");
  const { machine } = parse(first) as {
    readonly machine: { readonly ca: { readonly crt: string } };
  };
  return machine.ca.crt;
}

/** Whether an API server knows who asks with a certificate of a CA. */
async function isKnownTo(
  { address: host }: EmulatedNode,
  ca: CertificateAndKey,
  commonName: string,
): Promise<boolean> {
  const { crt, key } = await issueCertificate(ca, {
    commonName,
    organizations: ["system:masters"],
    usages: ["clientAuth"],
    keyType: "p256",
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  const named = { "x-remote-user": "admin", "x-remote-group": "system:masters" };
  const status = await new Promise<number>((resolve, reject) => {
    const options = {
      host,
      port: 6_443,
      path: "/api/v1/secrets",
      agent: false as const,
      cert: fromBase64(crt),
      key: nodeKey(key),
      rejectUnauthorized: false,
      headers: commonName === FRONT_PROXY ? named : {},
    };
    request(options, (response) => resolve(response.resume().statusCode ?? 0))
      .on("error", reject)
      .end();
  });
  return status !== 401;
}

async function answers(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

async function anyOf<Item>(
  items: readonly Item[],
  isOpen: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  return (await Promise.all(items.map(isOpen))).includes(true);
}
