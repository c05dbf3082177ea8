import { findMachineImage, type ImageCatalog } from "../../../components/machines/findMachineImage";
import { schematic } from "../../../provider";

const query = {
  talosVersion: "v1.12.1",
  architecture: "arm64" as const,
  region: "ap-east-2",
  owner: "540036508848",
};
const noResults = () => Promise.reject(new Error("Your query returned no results."));

/** A region that has these images, newest first, as AWS' filters see them. */
function region(names: readonly string[]): ImageCatalog {
  const matching = (pattern: string) => {
    const text = pattern.split("*").map((part) => part.replace(/[.]/g, "\\."));
    return names.filter((name) => new RegExp(`^${text.join(".*")}$`).test(name));
  };
  return {
    getAmiIds: ({ filters }) =>
      Promise.resolve({ ids: matching(filters?.[0]?.values[0] ?? "").map((name) => `id ${name}`) }),
    getAmi: ({ filters = [] }) => {
      const value = filters[0]?.values[0] ?? "";
      const name = value.replace(/^id /, "");
      return names.includes(name) ? Promise.resolve({ id: `id ${name}`, name }) : noResults();
    },
  };
}

describe("findMachineImage", () => {
  it("finds the image of an exact name", async () => {
    const name = "talos-v1.12.1-ap-east-2-arm64";
    expect(await findMachineImage(query, region([name]))).toBe(`id ${name}`);
    const own = { ...query, owner: "self", imageName: "mine" };
    expect(await findMachineImage(own, region(["mine"]))).toBe("id mine");
  });

  it("says what it searched, where, which releases of that minor exist, and what to do", async () => {
    const there = [
      "talos-v1.13.0-ap-east-2-arm64",
      "talos-v1.12.3-ap-east-2-arm64",
      "talos-v1.12.0-ap-east-2-arm64",
      "talos-v1.12.1-ap-east-2-amd64",
    ];
    await expect(findMachineImage(query, region(there))).rejects.toThrow(
      /^no image "talos-v1.12.1-ap-east-2-arm64" of account 540036508848 \(Sidero Labs\) exists in ap-east-2: there are "talos-v1.12.3-ap-east-2-arm64", "talos-v1.12.0-ap-east-2-arm64"; .*imageId/,
    );
  });

  it("names the newest of other minors if that minor has none", async () => {
    const there = Array.from(
      { length: 9 },
      (_, patch) => `talos-v1.11.${9 - patch}-ap-east-2-arm64`,
    );
    await expect(findMachineImage(query, region(there))).rejects.toThrow(
      /there are "talos-v1.11.9-ap-east-2-arm64", .*"talos-v1.11.4-ap-east-2-arm64" and 3 older ones;/,
    );
    await expect(findMachineImage(query, region([]))).rejects.toThrow(/no image of that owner/);
  });

  it("says how to create your own image", async () => {
    const own = { ...query, owner: "self", imageName: "mine" };
    await expect(findMachineImage(own, region(["other"]))).rejects.toThrow(
      /^no image "mine" of this account exists in ap-east-2: there are "other"; .*factory.talos.dev\/image\/<schematic>\/v1.12.1\/aws-arm64.raw.xz/,
    );
  });

  it("searches your own image for another schematic, and says how to create it", async () => {
    const other = "c".repeat(64);
    const of = { ...query, owner: undefined, schematicId: other };
    const name = `talos-v1.12.1-${other}-arm64`;
    expect(await findMachineImage(of, region([name]))).toBe(`id ${name}`);
    await expect(findMachineImage(of, region(["talos-v1.12.1-ap-east-2-arm64"]))).rejects.toThrow(
      new RegExp(
        `^no image "${name}" of this account .*no published image has .*: import .*factory.talos.dev/image/${other}/v1.12.1/aws-arm64.raw.xz.*docs/images.md`,
      ),
    );
    const official = { ...of, schematicId: schematic().id };
    const there = "talos-v1.12.1-ap-east-2-arm64";
    expect(await findMachineImage(official, region([there]))).toBe(`id ${there}`);
  });

  it("doesn't mistake another failure for a missing image", async () => {
    const failing = () => Promise.reject(new Error("no valid credentials"));
    await expect(findMachineImage(query, { getAmi: failing, getAmiIds: failing })).rejects.toThrow(
      /^can't look up the image "talos-v1.12.1-ap-east-2-arm64".*no valid credentials$/,
    );
    await expect(
      findMachineImage(query, { getAmi: noResults, getAmiIds: failing }),
    ).rejects.toThrow(/no image .* can't be told; check that/);
  });
});
