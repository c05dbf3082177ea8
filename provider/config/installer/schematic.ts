import { createHash } from "node:crypto";
import { type InputProblem, inputProblems } from "../configError";
import { mapping } from "../generate/mapping";
import { YamlWriter } from "../yaml/yamlWriter";

/** What a Talos image contains besides Talos. */
export interface ImageCustomization {
  /**
   * System extensions by their official names, for example `siderolabs/iscsi-tools`, in any
   * order. Default: only `ecrCredentialProvider`.
   */
  readonly systemExtensions?: readonly string[] | undefined;
  /**
   * Whether to add the extension with which kubelet pulls from ECR with the instance's role, as
   * Talos' own AMIs do. Default: true on AWS, else false.
   */
  readonly ecrCredentialProvider?: boolean | undefined;
  /** Additional kernel arguments, in this order, for example `console=ttyS0`. Default: none. */
  readonly extraKernelArgs?: readonly string[] | undefined;
}

/** A customization in the Image Factory's format. */
export interface Schematic {
  /** The factory's id of the image: 64 hex digits, the SHA-256 of the text. */
  readonly id: string;
  /** YAML in the factory's format. */
  readonly text: string;
}

const ECR_CREDENTIAL_PROVIDER = "siderolabs/ecr-credential-provider";

/**
 * The Image Factory's schematic of a customization, for machines on AWS unless
 * `ecrCredentialProvider` is false. It is computed without asking the factory.
 *
 * The factory builds images only of schematics that it has received once, from anyone. To register
 * a new one, run `curl --data-binary @schematic.yaml https://factory.talos.dev/schematics`, which
 * returns the id. Source: pkg/schematic of github.com/siderolabs/image-factory.
 */
export function schematic(customization: ImageCustomization = {}): Schematic {
  const { systemExtensions = [], extraKernelArgs = [] } = customization;
  const extensions = new Set(systemExtensions);
  if (customization.ecrCredentialProvider !== false) {
    extensions.add(ECR_CREDENTIAL_PROVIDER);
  }
  const fields = mapping({
    extraKernelArgs: extraKernelArgs.length === 0 ? undefined : extraKernelArgs,
    systemExtensions:
      extensions.size === 0 ? undefined : { officialExtensions: [...extensions].sort() },
  });
  const text = YamlWriter.write({ customization: fields }, undefined, "rc.4");
  return { id: createHash("sha256").update(text).digest("hex"), text };
}

/** All problems of a customization. */
export function checkImageCustomization(customization: ImageCustomization): InputProblem[] {
  const { systemExtensions = [], extraKernelArgs = [] } = customization;
  return [
    ...systemExtensions.flatMap((extension, index) =>
      inputProblems(
        ["systemExtensions", index],
        checkExtension(extension) ??
          (extension === ECR_CREDENTIAL_PROVIDER && customization.ecrCredentialProvider === false
            ? `${JSON.stringify(extension)} is set here, but ecrCredentialProvider is false: remove one of the two`
            : undefined),
      ),
    ),
    ...extraKernelArgs.flatMap((argument, index) =>
      inputProblems(
        ["extraKernelArgs", index],
        /^[^\s"]+(?:"[^"]*")?$/.test(argument)
          ? undefined
          : `${JSON.stringify(argument)} is not one argument of the kernel, like "console=ttyS0": write each as an item of its own`,
      ),
    ),
  ];
}

function checkExtension(extension: string): string | undefined {
  if (/^[a-z0-9-]+\/[a-z0-9][a-z0-9._-]*$/.test(extension)) {
    return undefined;
  }
  const name = /(?:^|\/)([a-z0-9][a-z0-9._-]*)(?:[:@].*)?$/.exec(extension)?.[1];
  const advice =
    name === undefined
      ? 'write its official name, like "siderolabs/iscsi-tools"'
      : `did you mean "siderolabs/${name}"?`;
  return `${JSON.stringify(extension)} is not the name of a system extension, which has no registry and no version: ${advice}`;
}
