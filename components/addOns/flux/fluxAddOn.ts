import type * as pulumi from "@pulumi/pulumi";
import type { AddOnManifest } from "../common/addOnManifest";

/** The argument of Flux. */
export interface FluxChoice {
  /**
   * Flux: applies what is in a Git repository to the cluster, and goes on doing so. It has every right in
   * the cluster, and so has whoever may write to the branch. It runs on machines with workloads, and
   * fetches its images from ghcr.io. Default: none.
   */
  readonly flux?: FluxAddOn;
}

/**
 * Flux, for one repository and path. By default, machines fetch the manifest of its controllers that Flux
 * publishes with a release. A manifest of yours has to be of v2.5 or later.
 *
 * The repository's content belongs to Flux. It stays in the cluster, and runs on, when you leave the
 * add-on out.
 */
export interface FluxAddOn extends AddOnManifest {
  /**
   * The repository: `ssh://git@github.com/example/fleet`, or `https://github.com/example/fleet` without a
   * user. Everybody who reads the cluster's state may see it.
   */
  readonly url: string;
  /** The folder of the cluster, from the root of the repository: `clusters/production`. */
  readonly path: string;
  /** The branch, without `refs/heads/`. Exclusive with `tag` and `semver`. Default: `main`. */
  readonly branch?: string;
  /** A tag. Exclusive with `branch` and `semver`. */
  readonly tag?: string;
  /** The newest tag in a range of versions, as in `>=1.2.0 <2.0.0`. Exclusive with `branch` and `tag`. */
  readonly semver?: string;
  /** How often Flux asks the repository for changes: `1m30s`. Default: `1m`. */
  readonly interval?: string;
  /**
   * Whether an object that leaves the repository is deleted from the cluster. Default: true. Objects stay
   * in any case when the add-on is left out.
   */
  readonly prune?: boolean;
  /** How Flux signs in to the repository. It needs no more than to read. Default: not at all. */
  readonly key?: FluxKey;
  /** How Flux decrypts files that SOPS has encrypted. Default: not at all. */
  readonly decryption?: FluxDecryption;
  /** The release, v2.5.0 or later, for example `v2.10.0`. Default: one that supports the Kubernetes minor. */
  readonly version?: string;
  /**
   * The manifest of the controllers, YAML, as `flux install --export` writes it. It is applied after the
   * bootstrap, and is in no machine's configuration. Default: upstream's.
   */
  readonly manifest?: pulumi.Input<string>;
}

/**
 * How Flux signs in: with `privateKey` and `knownHosts` to a URL with `ssh://`, or with `password` to one
 * with `https://`. It becomes a Secret in the namespace `flux-system`, and is in no machine's configuration.
 * A changed key reaches Flux with the next `pulumi up`: let both be valid until then.
 */
export interface FluxKey {
  /** A private SSH key without a passphrase, such as a deploy key: the file's text. Secret. */
  readonly privateKey?: pulumi.Input<string>;
  /** The host keys of the server, as `ssh-keyscan` writes them. Compare them with those it publishes. */
  readonly knownHosts?: pulumi.Input<string>;
  /** The user name of `password`. Default: `git`, which fits tokens of most servers. */
  readonly username?: string;
  /** A password, or an access token. Secret. */
  readonly password?: pulumi.Input<string>;
}

/** How Flux decrypts files. */
export interface FluxDecryption {
  /** The age private key, `AGE-SECRET-KEY-1…`, that the files are encrypted for. Secret. */
  readonly ageKey: pulumi.Input<string>;
}
