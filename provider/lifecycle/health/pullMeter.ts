import type { LayerProgress } from "../../api/lifecycleCalls";

const BYTES_PER_MB = 1_000_000;

/** The part of what is known of an image that is told at once. */
const TOLD_SHARE = 0.1;

/** Adds up the layers of an image that is pulled, and tells a tenth at a time. */
export class PullMeter {
  private readonly layers = new Map<string, LayerProgress>();
  private toldBytes = 0;

  /** @param tell gets how far it is: `45 of 148 MB` */
  constructor(private readonly tell: (share: string) => void) {}

  /** Takes what a machine reports of one layer. */
  see(progress: LayerProgress): void {
    const former = this.layers.get(progress.layer);
    // A layer that is extracted may be reported without its size.
    const totalBytes = Math.max(progress.totalBytes, former?.totalBytes ?? 0);
    const offsetBytes = progress.isDone ? totalBytes : progress.offsetBytes;
    this.layers.set(progress.layer, { ...progress, totalBytes, offsetBytes });
    const all = [...this.layers.values()];
    const [pulled, total] = [
      all.reduce((sum, each) => sum + each.offsetBytes, 0),
      all.reduce((sum, each) => sum + each.totalBytes, 0),
    ];
    if (pulled > this.toldBytes && pulled - this.toldBytes >= total * TOLD_SHARE) {
      this.toldBytes = pulled;
      this.tell(`${megabytes(pulled)} of ${megabytes(total)} MB`);
    }
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / BYTES_PER_MB);
}
