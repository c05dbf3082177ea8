import { awsSchematicId } from "../../../../provider/config/installer/installerImage";
import {
  checkImageCustomization,
  type ImageCustomization,
  schematic,
} from "../../../../provider/config/installer/schematic";

/** Ids that the public Image Factory gave. */
const known: readonly (readonly [string, ImageCustomization, string])[] = [
  [
    "nothing at all",
    { ecrCredentialProvider: false },
    "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
  ],
  [
    "what Talos' own AMIs have",
    {},
    "10e276a06c1f86b182757a962258ac00655d3425e5957f617bdc82f06894e39b",
  ],
  [
    "kernel arguments",
    { ecrCredentialProvider: false, extraKernelArgs: ["noapic", "nolapic"] },
    "9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c",
  ],
  [
    "one extension",
    { ecrCredentialProvider: false, systemExtensions: ["siderolabs/qemu-guest-agent"] },
    "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515",
  ],
  [
    "what Longhorn needs",
    {
      ecrCredentialProvider: false,
      systemExtensions: ["siderolabs/iscsi-tools", "siderolabs/util-linux-tools"],
    },
    "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245",
  ],
];

test.each(known)("%s has the factory's id", (_, customization, id) => {
  expect(schematic(customization).id).toBe(id);
});

test("extensions are added to that for ECR, in any order and each once", () => {
  const [a, b, ecr] = ["siderolabs/a", "siderolabs/b", "siderolabs/ecr-credential-provider"];
  expect(schematic({ systemExtensions: [b, a] }).text).toBe(
    `customization:\n    systemExtensions:\n        officialExtensions:\n${[a, b, ecr].map((name) => `            - ${name}\n`).join("")}`,
  );
  expect(schematic({ systemExtensions: [a, b, ecr, a] })).toEqual(
    schematic({ systemExtensions: [b, a] }),
  );
  expect(schematic({ systemExtensions: [ecr] }).id).toBe(awsSchematicId);
});

test("all problems are reported, with suggestions", () => {
  const problems = checkImageCustomization({
    systemExtensions: [
      "siderolabs/gvisor",
      "iscsi-tools",
      "ghcr.io/siderolabs/gvisor:20240101@sha256:00",
      "//",
      "siderolabs/ecr-credential-provider",
    ],
    ecrCredentialProvider: false,
    extraKernelArgs: ["console=ttyS0", "a b", "", 'dyndbg="file x.c +p"'],
  });
  const no = "is not the name of a system extension, which has no registry and no version";
  const one = 'is not one argument of the kernel, like "console=ttyS0"';
  expect(problems.map(({ property, reason }) => `${property}: ${reason}`)).toEqual([
    `systemExtensions[1]: "iscsi-tools" ${no}: did you mean "siderolabs/iscsi-tools"?`,
    `systemExtensions[2]: "ghcr.io/siderolabs/gvisor:20240101@sha256:00" ${no}: did you mean "siderolabs/gvisor"?`,
    `systemExtensions[3]: "//" ${no}: write its official name, like "siderolabs/iscsi-tools"`,
    'systemExtensions[4]: "siderolabs/ecr-credential-provider" is set here, but ecrCredentialProvider is false: remove one of the two',
    `extraKernelArgs[1]: "a b" ${one}: write each as an item of its own`,
    `extraKernelArgs[2]: "" ${one}: write each as an item of its own`,
  ]);
});
