/**
 * What is wrong with the name of a bucket; undefined when nothing is.
 *
 * Source: Amazon S3 user guide, "General purpose bucket naming rules".
 */
export function bucketNameProblem(name: string): string | undefined {
  const isWord = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name);
  const isReserved =
    /^(xn--|sthree-|amzn-s3-demo-)/.test(name) ||
    /(-s3alias|--ol-s3|--x-s3|--table-s3)$/.test(name);
  return isWord && !isReserved
    ? undefined
    : `"${name}" is no name for a bucket: 3 to 63 lower-case letters, digits and "-", no "-" at its ends, no dot (no certificate is for names with dots), and none of the beginnings and ends that AWS keeps`;
}
