module quickstart

go 1.25

require (
	github.com/pulumi-talos-aws/pulumi-talos-aws/sdk/go v0.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.230.0
)

replace github.com/pulumi-talos-aws/pulumi-talos-aws/sdk/go => ./sdks/talos-aws
