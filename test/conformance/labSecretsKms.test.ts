import { eventually } from "../emulator/support/eventually";
import { type ImageRegistry, serveImage } from "./support/imageRegistry";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { LabKms } from "./support/labKms";
import { LAB } from "./support/labRelease";
import { SecretsLife } from "./support/secretsLife";

/** The real plugin, built as CONTRIBUTING.md says. */
const { AWS_ENCRYPTION_PROVIDER: program = "" } = process.env;

/** Why this can't run; undefined if it can. */
const reason =
  program === ""
    ? "there is no plugin; set AWS_ENCRYPTION_PROVIDER to it"
    : LAB.talos.startsWith("v1.14.")
      ? undefined
      : "it needs Talos v1.14: set TALOS_LAB_RELEASE";

/** Clusters of one machine, which live at the same time: mostly, their API servers are awaited. */
const ways = [
  { name: "cp1", octet: 2, keys: ["kms", "kms"] },
  { name: "cp2", octet: 3, keys: ["secretbox", "kms"] },
  { name: "cp3", octet: 4, keys: ["kms", "secretbox"] },
] as const;

if (reason !== undefined) {
  console.warn(`skipped: Secrets that AWS KMS encrypts: ${reason}`);
}

// Each test goes on where the one before it ended.
describe.skipIf(reason !== undefined)("where the plugin is", () => {
  describeWithKubernetesLab("Secrets that AWS KMS encrypts, on real Kubernetes", (lab) => {
    let kms: LabKms;
    let images: ImageRegistry;
    let lives: readonly SecretsLife[];
    const all = (live: (life: SecretsLife) => Promise<void>) => Promise.all(lives.map(live));

    beforeAll(async () => {
      vi.spyOn(process.stdout, "write").mockReturnValue(true);
      const settings = await lab.settings();
      await lab.up(ways.map(({ name, octet }) => `${name}:${octet}`));
      images = await serveImage({ program, name: "aws-encryption-provider" }, settings.host);
      kms = await LabKms.start(settings.host);
      const shared = { lab, settings, kms, imagesUrl: images.url };
      lives = await Promise.all(
        ways.map(({ octet, keys }) => SecretsLife.prepare(`10.7.0.${octet}`, keys, shared)),
      );
    });

    afterAll(async () => {
      vi.restoreAllMocks();
      await lab.down();
      await kms.stop();
      images.close();
    });

    it("are never in clear in etcd, from the cluster's birth", async () => {
      await all(async (life) => {
        await life.begin();
        await life.areReadable();
        expect(await life.prefixes()).toEqual([life.prefixOf(1)]);
      });
    });

    it("can be read while the plugin is away", async () => {
      const [life] = lives;
      await life?.withoutPlugin(() => life.areReadable());
      await life?.write("returned");
    });

    it.each(["accept", "issue", "drop"] as const)(
      "can be read in the stage %s, between KMS, another key in KMS and a secretbox key",
      async (stage) => {
        await all((life) => life.reachStage({ to: 2, stage }));
      },
    );

    it("can't be listed when their key is gone, until it is back", async () => {
      const [life] = lives;
      await life?.force({ to: 3, stage: "drop" });
      await eventually(async () => {
        await expect(life?.list()).rejects.toThrow(/not transformable/);
      }, 120_000);
      await life?.force({ to: 2, stage: "drop" });
      await eventually(() => life?.areReadable(), 240_000);
    });
  });
});
