import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Emulator, startEmulator } from "../../../emulator";
import { JsonClient, type JsonService } from "../../../emulator/aws/plugin/jsonClient";
import type { ConfigDocument } from "../../../provider/config/machineConfig";

const KMS: JsonService = { name: "kms", target: "TrentService", version: "1.1" };
const CREDENTIALS = { AWS_ACCESS_KEY_ID: "lab", AWS_SECRET_ACCESS_KEY: "lab" };

/** The emulated AWS' KMS, which nodes of a lab reach. */
export class LabKms {
  private constructor(
    private readonly emulator: Emulator,
    private readonly client: JsonClient,
    private readonly url: string,
    private readonly closeDoor: () => void,
  ) {}

  /** @param host an address of this computer that nodes reach */
  static async start(host: string): Promise<LabKms> {
    const emulator = await startEmulator();
    const { port, hostname } = new URL(emulator.url);
    const sockets = new Set<Socket>();
    // The emulated AWS itself listens on the loopback alone.
    const door = createServer((asked) => {
      const onward = connect(Number(port), hostname);
      for (const [from, to] of [
        [asked, onward],
        [onward, asked],
      ] as const) {
        sockets.add(from);
        from.once("close", () => sockets.delete(from));
        from.once("error", () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve, reject) => {
      door.once("error", reject);
      door.listen(0, host, resolve);
    });
    const { region, url: endpoint } = emulator;
    const client = new JsonClient(KMS, {
      region,
      endpoint,
      accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID,
    });
    const url = `http://${host}:${(door.address() as AddressInfo).port}`;
    return new LabKms(emulator, client, url, () => {
      door.close();
      sockets.forEach((socket) => socket.destroy());
    });
  }

  /** Makes a symmetric key, and gives its ARN. */
  async makeKey(): Promise<string> {
    const { KeyMetadata } = (await this.client.call("CreateKey", {})) as {
      readonly KeyMetadata: { readonly Arn: string };
    };
    return KeyMetadata.Arn;
  }

  /**
   * Leads the plugins of a machine configuration here, as a key that this KMS takes. Machines in EC2 need neither:
   * there the plugin finds KMS by the region, and the key of the machine's role.
   */
  leadHere(documents: readonly ConfigDocument[]): ConfigDocument[] {
    return documents.map((document) => {
      if (document.kind !== "KubeStaticPodConfig") {
        return document;
      }
      const { pod } = document as unknown as { readonly pod: PluginPod };
      const containers = pod.spec.containers.map((container) => ({
        ...container,
        args: [...container.args, `--kms-endpoint=${this.url}`],
        env: Object.entries(CREDENTIALS).map(([name, value]) => ({ name, value })),
      }));
      return { ...document, pod: { ...pod, spec: { ...pod.spec, containers } } };
    });
  }

  async stop(): Promise<void> {
    this.closeDoor();
    await this.emulator.stop();
  }
}

interface PluginPod {
  readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
}
