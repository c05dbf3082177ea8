// Command generator is the part of Pulumi's language hosts that `pulumi package gen-sdk` asks, and for Python also the
// part that `pulumi package add` asks. The hosts of a Pulumi CLI call the same functions. Its own name says for which
// language: pulumi-language-go, -nodejs, -python.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	codegen "github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"github.com/pulumi/pulumi/sdk/v3/python/toolchain"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type files = map[string][]byte

var generators = map[string]func(pkg *schema.Package, extra files, local bool, loader schema.ReferenceLoader) (files, error){
	"go": func(pkg *schema.Package, _ files, _ bool, _ schema.ReferenceLoader) (files, error) {
		return golang.GeneratePackage("pulumi-language-go", pkg, nil)
	},
	"nodejs": func(pkg *schema.Package, extra files, local bool, loader schema.ReferenceLoader) (files, error) {
		return nodejs.GeneratePackage("pulumi-language-nodejs", pkg, extra, nil, local, loader)
	},
	"python": func(pkg *schema.Package, extra files, _ bool, loader schema.ReferenceLoader) (files, error) {
		return codegen.GeneratePackage("pulumi-language-python", pkg, extra, loader)
	},
}

type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	language string
}

func (h *host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
}

func (h *host) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	cached := schema.NewCachedLoader(loader)
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, cached, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	generated, err := generators[h.language](pkg, request.ExtraFiles, request.Local, cached)
	if err != nil {
		return nil, err
	}
	for name, content := range generated {
		path := filepath.Join(request.Directory, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return nil, err
		}
	}
	return &pulumirpc.GeneratePackageResponse{}, nil
}

// python is pip in the project's virtual environment, as a host has it for a project without options.
func python(info *pulumirpc.ProgramInfo) (toolchain.Toolchain, error) {
	return toolchain.ResolveToolchain(toolchain.PythonOptions{
		Root:       info.RootDirectory,
		ProgramDir: info.ProgramDirectory,
		Virtualenv: "venv",
		Toolchain:  toolchain.Pip,
	})
}

func (h *host) Link(ctx context.Context, request *pulumirpc.LinkRequest) (*pulumirpc.LinkResponse, error) {
	if h.language != "python" {
		return h.UnimplementedLanguageRuntimeServer.Link(ctx, request)
	}
	tools, err := python(request.Info)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for _, dependency := range request.Packages {
		name := "pulumi_" + strings.ReplaceAll(dependency.Package.Name, "-", "_")
		paths[name] = dependency.Path
	}
	if err := tools.LinkPackages(ctx, paths); err != nil {
		return nil, err
	}
	return &pulumirpc.LinkResponse{}, nil
}

func (h *host) InstallDependencies(
	request *pulumirpc.InstallDependenciesRequest, server pulumirpc.LanguageRuntime_InstallDependenciesServer,
) error {
	if h.language != "python" {
		return h.UnimplementedLanguageRuntimeServer.InstallDependencies(request, server)
	}
	tools, err := python(request.Info)
	if err != nil {
		return err
	}
	return tools.InstallDependencies(
		server.Context(), request.Info.RootDirectory, false, false, os.Stderr, os.Stderr)
}

func main() {
	language := strings.TrimPrefix(filepath.Base(os.Args[0]), "pulumi-language-")
	if generators[language] == nil {
		fmt.Fprintf(os.Stderr, "there is no generator for %q\n", language)
		os.Exit(1)
	}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, &host{language: language})
			return nil
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(handle.Port)
	if err := <-handle.Done; err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
