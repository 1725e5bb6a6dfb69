// exercism/python: unittest cases, run by pytest. The wrong solution is the exercise's own stub, which returns nothing.
export const track = {
  tries: ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
  exercise({ slug, files, read }) {
    const name = slug.replaceAll("-", "_");
    const path = `src/${name}.py`;
    const helpers = files.filter(
      (file) => /^[^./][^/]*\.\w+$/.test(file) && ![`${name}.py`, `${name}_test.py`].includes(file),
    );
    const test = read(`${name}_test.py`);
    return {
      path,
      tests: {
        [`tests/${name}_test.py`]: test,
        ...Object.fromEntries(helpers.map((file) => [`tests/${file}`, read(file)])),
      },
      titles: [...test.matchAll(/^\s*def (test_\w+)/gm)].map((match) => match[1]),
      solution: read(".meta/example.py"),
      wrong: read(`${name}.py`),
      weak: `import ${name}\n\n\ndef test_works():\n    assert ${name}\n`,
      start: {
        "pyproject.toml": `[project]\nname = "${slug}"\nversion = "1.0.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n`,
        ".gitignore": "__pycache__/\n",
      },
    };
  },
};
