package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// registeredKinds lists the kinds of documents that Talos reads, from the calls that register them:
// the registry itself is internal to the module, and the published schema misses a kind and
// misnames another. The empty kind is the machine configuration proper.
func registeredKinds(moduleFolder string) []string {
	kinds := []string{""}

	types := os.DirFS(filepath.Join(moduleFolder, "config/types"))
	if err := fs.WalkDir(types, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			kinds = append(kinds, kindsIn(filepath.Join(moduleFolder, "config/types", path))...)
		}

		return err
	}); err != nil {
		panic(err)
	}

	// registered too: the document that has no kind
	kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == "v1alpha1" })
	slices.Sort(kinds)

	return kinds
}

// kindsIn lists the kinds that one package registers, by a text or by a constant of its own.
func kindsIn(folder string) []string {
	var registered []ast.Expr

	constants := map[string]ast.Expr{}

	for _, file := range sources(folder) {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if calls(node, "registry", "Register") {
					registered = append(registered, node.Args[0])
				}
			case *ast.ValueSpec:
				for i, value := range node.Values {
					constants[node.Names[i].Name] = value
				}
			}

			return true
		})
	}

	kinds := make([]string, 0, len(registered))

	for _, kind := range registered {
		if name, ok := kind.(*ast.Ident); ok {
			kind = constants[name.Name]
		}

		text, err := strconv.Unquote(kind.(*ast.BasicLit).Value)
		if err != nil {
			panic(err)
		}

		kinds = append(kinds, text)
	}

	return kinds
}

func sources(folder string) []*ast.File {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		panic(err)
	}

	var files []*ast.File

	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}

		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}

		files = append(files, file)
	}

	return files
}

func calls(call *ast.CallExpr, pkg, function string) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != function {
		return false
	}

	name, ok := selector.X.(*ast.Ident)

	return ok && name.Name == pkg
}
