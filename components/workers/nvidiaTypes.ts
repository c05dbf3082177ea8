/**
 * The families whose GPUs NVIDIA's open kernel modules drive, from the generation Turing on, with their sizes of more than one
 * GPU. A fraction of a GPU (G6f, Gr6f) needs other drivers. Sources: Amazon EC2 instance types; the list of supported GPUs of
 * NVIDIA/open-gpu-kernel-modules.
 */
const FAMILIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  g4dn: { "12xlarge": 4, metal: 8 },
  g5: { "12xlarge": 4, "24xlarge": 4, "48xlarge": 8 },
  g5g: { "16xlarge": 2, metal: 2 },
  g6: { "12xlarge": 4, "24xlarge": 4, "48xlarge": 8 },
  g6e: { "12xlarge": 4, "24xlarge": 4, "48xlarge": 8 },
  gr6: {},
  g7e: { "12xlarge": 2, "24xlarge": 4, "48xlarge": 8 },
  p4d: { "24xlarge": 8 },
  p4de: { "24xlarge": 8 },
  p5: { "48xlarge": 8 },
  p5e: { "48xlarge": 8 },
  p5en: { "48xlarge": 8 },
  "p6-b200": { "48xlarge": 8 },
  "p6-b300": { "48xlarge": 8 },
};

/** The names of these families. */
export const NVIDIA_FAMILIES: readonly string[] = Object.keys(FAMILIES);

/** How many GPUs a machine of a type has; undefined for types of other families. */
export function gpusOf(instanceType: string): number | undefined {
  const [family = "", size = ""] = instanceType.split(".");
  return Object.hasOwn(FAMILIES, family) ? (FAMILIES[family]?.[size] ?? 1) : undefined;
}

/** Whether a type may have GPUs of NVIDIA, whatever drives them. G4ad has those of AMD. */
export function mayHaveNvidiaGpu(instanceType: string): boolean {
  return /^(g|gr|p)\d/.test(instanceType) && !instanceType.startsWith("g4ad.");
}
