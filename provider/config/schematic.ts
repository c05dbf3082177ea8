import { createHash } from "node:crypto";
import { mapping } from "./generate/mapping";
import { type InputProblem, inputProblems } from "./inputProblem";
import { YamlWriter } from "./yamlWriter";

/** What an image of Talos has besides Talos itself. */
export interface ImageCustomization {
  /**
   * System extensions by their official names, `siderolabs/iscsi-tools`; in no order, each counts
   * once. Default: none but `ecrCredentialProvider`.
   */
  readonly systemExtensions?: readonly string[] | undefined;
  /**
   * Whether to have the extension with which kubelet pulls from ECR by the instance's role, as
   * Talos' own AMIs do. Default: true on AWS, else false.
   */
  readonly ecrCredentialProvider?: boolean | undefined;
  /** More arguments for the kernel, in this order. Default: none. */
  readonly extraKernelArgs?: readonly string[] | undefined;
}

/** A customization as the Image Factory knows it. */
export interface Schematic {
  /** 64 hex digits, by which the factory's images are named: the SHA-256 of the text. */
  readonly id: string;
  /** YAML in the factory's own form. */
  readonly text: string;
}

const ecrCredentialProvider = "siderolabs/ecr-credential-provider";

/**
 * The Image Factory's schematic of a customization, for machines on AWS unless `ecrCredentialProvider`
 * is false; made without asking the factory. The factory
 * makes images of schematics it was given once, by anyone; a new one it is told with
 * `curl --data-binary @schematic.yaml https://factory.talos.dev/schematics`, which answers the id.
 *
 * Source: pkg/schematic of github.com/siderolabs/image-factory.
 */
export function schematic(customization: ImageCustomization = {}): Schematic {
  const { systemExtensions = [], extraKernelArgs = [] } = customization;
  const extensions = new Set(systemExtensions);
  if (customization.ecrCredentialProvider !== false) {
    extensions.add(ecrCredentialProvider);
  }
  const fields = mapping({
    extraKernelArgs: extraKernelArgs.length === 0 ? undefined : extraKernelArgs,
    systemExtensions:
      extensions.size === 0 ? undefined : { officialExtensions: [...extensions].sort() },
  });
  const text = YamlWriter.write({ customization: fields }, undefined);
  return { id: createHash("sha256").update(text).digest("hex"), text };
}

/** All that is wrong with a customization. */
export function checkImageCustomization(customization: ImageCustomization): InputProblem[] {
  const { systemExtensions = [], extraKernelArgs = [] } = customization;
  return [
    ...systemExtensions.flatMap((extension, index) =>
      inputProblems(
        ["systemExtensions", index],
        checkExtension(extension) ??
          (extension === ecrCredentialProvider && customization.ecrCredentialProvider === false
            ? `${JSON.stringify(extension)} is wanted here and unwanted by ecrCredentialProvider: decide for one`
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
