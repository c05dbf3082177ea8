/**
 * The newest Talos minor (13 is v1.13) that machines may run. Schemas, tables and rules can be
 * ahead of it while the support of a release is not complete: a configuration that would be valid
 * is then still refused, because a running machine would be treated wrongly.
 */
export const NEWEST_ACCEPTED_MINOR = 14;
