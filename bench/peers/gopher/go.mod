module urlset-bench-gopher

go 1.21

require github.com/oxffaa/gopher-parse-sitemap v0.0.0-20191021113419-005d2eb1def4
