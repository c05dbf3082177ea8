/**
 * The lease with which the controller managers of a cluster elect the one that works. One that ends does
 * not give it back, so the others wait until it expires. Source: Kubernetes v1.35.0,
 * `cmd/kube-controller-manager/app/controllermanager.go` (no `ReleaseOnCancel`).
 */
export class LeaderLease {
  private holder: object | undefined;
  private expiresAtMs = 0;

  /** Takes the lease if it is free. Returns in how many milliseconds to try again; zero if it is taken. */
  take(candidate: object, nowMs: number): number {
    if (this.holder !== undefined) {
      return this.holder === candidate ? 0 : Infinity;
    }
    if (nowMs < this.expiresAtMs) {
      return this.expiresAtMs - nowMs;
    }
    this.holder = candidate;
    return 0;
  }

  /** The holder has ended, and its lease expires after a while. */
  leave(holder: object, expiresAtMs: number): void {
    if (this.holder === holder) {
      this.holder = undefined;
      this.expiresAtMs = expiresAtMs;
    }
  }
}
