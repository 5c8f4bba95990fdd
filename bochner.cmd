@echo off
rem The bochner command for Windows. Builds itself on first use, and again when a source file has changed.
rem BOCHNER_OPTS holds extra JVM options, for example -Xmx8g.
setlocal EnableExtensions DisableDelayedExpansion
set "root=%~dp0"
set "root=%root:~0,-1%"
set "target=%root%\cli\target"
set "jar=%target%\dist\bochner.jar"
rem Copies of the sources of the last build, with their times.
set "copies=%target%\built"

set "java="
if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java.exe"
if not defined java for %%j in (java.exe) do set "java=%%~$PATH:j"
if not defined java goto nojava

if not exist "%jar%" goto build
if not exist "%copies%\cli\src\main" goto build
rem xcopy /l /d lists what is newer than its copy, and then, on a line that begins with a digit, how much that is.
for %%m in (. core cli) do xcopy /l /d /y "%root%\%%m\pom.xml" "%copies%\%%m" 2>nul | findstr /v /r "^[0-9]" >nul && goto build
for %%m in (core cli) do xcopy /l /d /y /s "%root%\%%m\src\main" "%copies%\%%m\src\main" 2>nul | findstr /v /r "^[0-9]" >nul && goto build

:run
rem A small young generation: streaming makes little garbage, and memory then does not grow with the rows.
set "flags=-XX:+UseSerialGC -Xmn32m -XX:MaxRAMPercentage=70 -XX:-UsePerfData -Xlog:disable -Xlog:all=error:stderr"
"%java%" %flags% %BOCHNER_OPTS% "-Dbochner.home=%root%" -jar "%jar%" %*
exit /b %errorlevel%

:build
where mvn >nul 2>&1
if errorlevel 1 goto nomaven
echo bochner: building the command (once; 2 to 4 minutes the first time) ... 1>&2
if not exist "%target%" mkdir "%target%"
pushd "%root%"
call mvn -q -B -Dmaven.test.skip=true -pl cli -am package >"%target%\build.log" 2>&1
if errorlevel 1 goto failed
popd
for %%m in (core cli) do xcopy /y /q /s /i "%root%\%%m\src\main" "%copies%\%%m\src\main" >nul
for %%m in (. core cli) do copy /y "%root%\%%m\pom.xml" "%copies%\%%m" >nul
goto run

:nojava
echo bochner: no Java found; install a JDK 17 or newer, or set JAVA_HOME 1>&2
exit /b 1

:nomaven
echo bochner: Maven is needed for the first start, to build the command; install Maven 3.6.3 or newer 1>&2
exit /b 1

:failed
popd
type "%target%\build.log" 1>&2
echo bochner: the build failed; the lines above are those of "%target%\build.log" 1>&2
exit /b 1
