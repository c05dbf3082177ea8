import { type GrantedResource, grant, type GrantsOf } from "../grant";
import { ec2Grants } from "./networkGrants";

/** The image or snapshots in all regions: a copy is made from another region. */
function everywhere({ scope }: GrantedResource, name: string): string {
  return `arn:${scope.partition}:ec2:*::${name}/*`;
}

/** What the AWS provider needs of every image, however it was made. */
function imageKind(resource: GrantedResource) {
  return ec2Grants(resource, {
    on: {
      image: [
        "DeregisterImage",
        "ModifyImageAttribute",
        "EnableImageDeprecation",
        "DisableImageDeprecation",
      ],
    },
    reads: ["DescribeImages", "DescribeSnapshots"],
    tagged: "image snapshot",
  });
}

/** Images of the account's own. Sources as of `networkGrants`; VM Import/Export user guide. */
export const imageGrants: Readonly<Record<string, GrantsOf>> = {
  "aws:ec2/ami:Ami": (resource) => [
    ...imageKind(resource),
    ...ec2Grants(resource, { on: { "image snapshot": ["RegisterImage"] }, reads: [] }),
  ],
  "aws:ec2/amiCopy:AmiCopy": (resource) => [
    ...imageKind(resource),
    grant("ec2", ["CopyImage"], [everywhere(resource, "image"), everywhere(resource, "snapshot")]),
    ...ec2Grants(resource, { on: { snapshot: ["DeleteSnapshot"] }, reads: [] }),
  ],
  "aws:ebs/snapshotImport:SnapshotImport": (resource) => {
    const bucket = `arn:${resource.scope.partition}:s3:::${resource.text("diskContainer.userBucket.s3Bucket")}`;
    return [
      ...ec2Grants(resource, {
        on: {
          "import-snapshot-task snapshot": ["ImportSnapshot"],
          snapshot: ["DeleteSnapshot"],
        },
        reads: ["DescribeImportSnapshotTasks", "DescribeSnapshots"],
        tagged: "import-snapshot-task snapshot",
      }),
      grant("s3", ["GetBucketLocation", "ListBucket"], [bucket]),
      grant("s3", ["GetObject"], [`${bucket}/${resource.text("diskContainer.userBucket.s3Key")}`]),
    ];
  },
};
