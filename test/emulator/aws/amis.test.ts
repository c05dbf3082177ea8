import { parseTalosImageName, talosImages } from "../../../emulator/aws/amis";

describe("talosImages", () => {
  const images = talosImages();

  it("offers every release for both architectures in every region", () => {
    const names = images.flatMap(({ name }) => parseTalosImageName(name) ?? []);
    const differing = (part: "version" | "region" | "architecture") =>
      new Set(names.map((name) => name[part])).size;
    expect(differing("architecture")).toBe(2);
    expect(images).toHaveLength(differing("version") * differing("region") * 2);
    expect(new Set(images.map((image) => image.ami_id)).size).toBe(images.length);
    expect(new Set(images.map((image) => image.name)).size).toBe(images.length);
  });

  it("gives an image the attributes of the published one", () => {
    expect(images.find((image) => image.name === "talos-v1.12.1-us-east-1-arm64")).toMatchObject({
      owner_id: "540036508848",
      architecture: "arm64",
      root_device_name: "/dev/xvda",
      root_device_type: "ebs",
      virtualization_type: "hvm",
      boot_mode: "uefi",
      state: "available",
      public: true,
    });
    expect(images.find((image) => image.name === "talos-v1.12.1-us-east-1-amd64")).toMatchObject({
      architecture: "x86_64",
    });
  });

  it("gives the same identifiers in every run, in EC2's form", () => {
    expect(talosImages()).toEqual(images);
    expect(images.every((image) => /^ami-[0-9a-f]{17}$/.test(image.ami_id))).toBe(true);
  });
});

describe("parseTalosImageName", () => {
  it("parses every name that the emulated cloud offers", () => {
    for (const image of talosImages()) {
      const parsed = parseTalosImageName(image.name);
      expect(`talos-${parsed?.version}-${parsed?.region}-${parsed?.architecture}`).toBe(image.name);
    }
  });

  it.each([
    ["talos-v1.14.0-beta.0-eu-west-1-amd64", "v1.14.0-beta.0", "eu-west-1"],
    ["talos-v1.12.1-us-gov-west-1-arm64", "v1.12.1", "us-gov-west-1"],
  ])("reads %s", (name, version, region) => {
    expect(parseTalosImageName(name)).toMatchObject({ version, region });
  });

  it.each(["ubuntu-22.04", "talos-v1.12.1-us-east-1-riscv64", "e2e-talos-v1.12.1-us-east-1-amd64"])(
    "does not accept %s as a Talos image",
    (name) => {
      expect(parseTalosImageName(name)).toBeUndefined();
    },
  );
});
